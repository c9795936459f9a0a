import type { ModelMessage } from "ai";
import { messagesOf, openCallsOf, type JournalEntry, type OpenCall } from "./conversation.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import { executeGated } from "../permissions/execute-gated.ts";
import { oneAfterAnother } from "./one-after-another.ts";
import { endCall, type EndedCall, type Pend } from "./tool-calls.ts";

/**
 * A run that was lost left calls without an end: each gets one before anything else happens. Those that somebody outside is
 * to finish wait on, side by side, once the others have ended or wait too. In a turn that goes on, those that were never started are
 * left for it: they had no effect, so they are just the next thing to do.
 */
export async function closeOpenCalls(options: ModelRunOptions, journal: JournalEntry[]): Promise<void> {
  const all = openCallsOf(journal);
  const open = options.goesOn && options.desired.kind === "work" ? all.filter((call) => isBegun(options, call)) : all;
  if (open.length === 0) return;
  const { desired, port } = options;
  const waiting = new Set(open.filter(({ call }) => desired.kind === "work" && port.outside.holds(call)));
  const others = open.filter((each) => !waiting.has(each));
  await oneAfterAnother([...others, ...waiting], async (call, waits) => {
    const scope = { messages: messagesOf(journal), waits };
    const ended = waiting.has(call) ? endWaitingCall(options, call, scope) : endOpenCall(options, call, scope);
    return report(options, journal, await ended);
  });
  if (open.length === all.length) await port.report({ type: "step.ended" });
}

/** Whether something of a call is known already, so that it must not be begun. */
const isBegun = ({ startedCalls, completeCall, port }: ModelRunOptions, { call }: OpenCall): boolean =>
  startedCalls.has(call) || call === completeCall || port.outside.holds(call);

async function report({ port, signal }: ModelRunOptions, journal: JournalEntry[], ended: EndedCall): Promise<void> {
  signal.throwIfAborted();
  const { verdict, value: _value, ...body } = ended;
  journal.push({ type: "ended", call: body.call, tool: body.tool, output: body.output });
  await port.report({ type: "tool.ended", call: ended.call, verdict }, body);
}

interface Scope {
  /** The conversation so far. */
  readonly messages: ModelMessage[];
  /** To be told when the call waits for somebody outside. */
  readonly waits: () => void;
}

function endWaitingCall(
  { port, tools, signal, cap }: ModelRunOptions,
  call: OpenCall,
  { waits }: Scope,
): Promise<EndedCall> {
  waits();
  // What the tool said of it stands in the session since it asked first.
  return endCall(tools, call, { signal, cap }, () => port.outside.wait(call, { note: null, timeoutMs: null }));
}

async function endOpenCall(options: ModelRunOptions, call: OpenCall, { messages, waits }: Scope): Promise<EndedCall> {
  const base = { call: call.call, tool: call.tool, value: null };
  if (call.call === options.completeCall) {
    return { ...base, output: { type: "json", value: { accepted: true } }, verdict: "ok" };
  }
  // One that was not started may still have waited for a permission.
  const wasStarted = options.startedCalls.has(call.call);
  const { desired, idempotent, gate, tools, signal, cap, port } = options;
  // An approval was given for one execution; and a call that was denied is reported as started, too.
  const isRepeated = wasStarted && desired.kind === "work" && idempotent.has(call.tool) && (await gate.mayRepeat(call));
  if (isRepeated) {
    const pend: Pend = (each, pending) => {
      waits();
      return port.outside.wait(each, pending);
    };
    return executeGated(call, { gate, tools, signal, cap, messages: () => messages, pend });
  }
  const value = wasStarted
    ? "interrupted: effect unknown"
    : "interrupted: not started, so it had no effect; call it again if you still need it";
  return { ...base, output: { type: "error-text", value }, verdict: "interrupted" };
}
