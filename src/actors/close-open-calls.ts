import type { ModelMessage } from "ai";
import { messagesOf, openCallsOf, type JournalEntry, type OpenCall } from "./conversation.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import { executeGated } from "./permissions/execute-gated.ts";
import type { EndedCall } from "./tool-calls.ts";

/** A run that was lost left calls without an end: each gets one before anything else happens. */
export async function closeOpenCalls(options: ModelRunOptions, journal: JournalEntry[]): Promise<void> {
  const open = openCallsOf(journal);
  if (open.length === 0) return;
  for (const call of open) {
    const ended = await endOpenCall(options, call, messagesOf(journal));
    const { verdict, value: _value, ...body } = ended;
    journal.push({ type: "ended", call: body.call, tool: body.tool, output: body.output });
    await options.port.report({ type: "tool.ended", call: call.call, verdict }, body);
  }
  await options.port.report({ type: "step.ended" });
}

async function endOpenCall(options: ModelRunOptions, call: OpenCall, messages: ModelMessage[]): Promise<EndedCall> {
  const base = { call: call.call, tool: call.tool, value: null };
  if (call.call === options.completeCall) {
    return { ...base, output: { type: "json", value: { accepted: true } }, verdict: "ok" };
  }
  // One that was not started may still have waited for a permission.
  const wasStarted = options.startedCalls.has(call.call);
  const { desired, idempotent, gate, tools, signal, cap } = options;
  // An approval was given for one execution; and a call that was denied is reported as started, too.
  const isRepeated = wasStarted && desired.kind === "work" && idempotent.has(call.tool) && (await gate.mayRepeat(call));
  if (isRepeated) return executeGated(call, { gate, tools, signal, cap, messages: () => messages });
  const value = wasStarted
    ? "interrupted: effect unknown"
    : "interrupted: not started, so it had no effect; call it again if you still need it";
  return { ...base, output: { type: "error-text", value }, verdict: "interrupted" };
}
