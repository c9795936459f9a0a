import type { ModelMessage, ToolSet } from "ai";
import { permissionNote } from "../../tools/team/index.ts";
import { createWorkspaceTools } from "../../tools/workspace/index.ts";
import type { OutputCap } from "../model-run/cap-output.ts";
import type { ToolOutput } from "../model-run/conversation.ts";
import type { RunTrace } from "../telemetry/run-trace.ts";
import { executeCall, type EndedCall, type Pend } from "../model-run/tool-calls.ts";
import type { GatedCall, PermissionGate } from "./permission-gate.ts";
import { permitsOf } from "./permits-of.ts";

/** What a call of a model is executed with. */
export interface GatedExecution {
  readonly gate: PermissionGate;
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly cap: OutputCap;
  /** The conversation so far, as it is when the tool starts. */
  readonly messages: () => ModelMessage[];
  /** Called once it is known what becomes of the call, before anything is executed. */
  readonly onStart?: () => Promise<unknown>;
  /** Spans of the run that makes the call, where somebody traces. */
  readonly trace?: RunTrace | null;
  /** Waits for a result that comes from outside; left out for who can't. */
  readonly pend?: Pend;
}

/** Judges a call of a model, asks if it must, and executes it if it may. Rejects only when what it reports to does. */
export async function executeGated(
  call: GatedCall,
  { gate, tools, signal, cap, messages, onStart = () => Promise.resolve(), pend, trace = null }: GatedExecution,
): Promise<EndedCall> {
  // Of a tool that doesn't exist there is nothing to ask for.
  const exists = tools[call.tool]?.execute !== undefined;
  const judged = exists ? await gate.judge(call) : { input: call.input, view: null, note: null };
  await onStart();
  if ("error" in judged) {
    const { text } = judged;
    return {
      call: call.call,
      tool: call.tool,
      output: { type: "error-text", value: text },
      verdict: "refused",
      value: text,
    };
  }
  const { permits, notes, end } = permitsOf(gate, call);
  if (judged.note !== null && judged.note !== "") notes.push(judged.note);
  const own = judged.view === null ? tools : createWorkspaceTools({ workspace: judged.view, allowExecute: false });
  const executed = { ...call, input: judged.input };
  const scope = { messages: messages(), signal, cap, context: permits, pend: pend ?? null };
  const execute = (): Promise<EndedCall> => executeCall(own, executed, scope);
  const ended = await (trace === null ? execute() : trace.tool(executed, execute));
  end();
  const output = withNotes(call.tool, ended.output, notes);
  return output === ended.output ? ended : { ...ended, output };
}

/** What was said with an approval, behind the result of the call that it was given for. */
function withNotes(tool: string, output: ToolOutput, notes: readonly string[]): ToolOutput {
  if (notes.length === 0) return output;
  const text = notes.map((note) => permissionNote(tool, note)).join("\n");
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...output, value: `${output.value}\n${text}` };
    case "json":
      return { type: "text", value: `${JSON.stringify(output.value)}\n${text}` };
    case "error-json":
      return { type: "error-text", value: `${JSON.stringify(output.value)}\n${text}` };
    case "content":
      return { ...output, value: [...output.value, { type: "text", text }] };
    case "execution-denied":
      return { ...output, reason: `${output.reason ?? ""}\n${text}` };
  }
}
