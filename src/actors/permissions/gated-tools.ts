import type { ToolSet } from "ai";
import { TeamError } from "../../errors/index.ts";
import { isPending } from "../../tools/pending.ts";
import type { Pend } from "../model-run/tool-calls.ts";
import type { PermissionGate } from "./permission-gate.ts";
import type { RunTrace } from "../telemetry/run-trace.ts";
import { permitsOf } from "./permits-of.ts";

/** What calls of a function agent go through. */
interface GatedTools {
  readonly gate: PermissionGate;
  readonly nextCall: () => string;
  readonly pend: Pend;
  /** Spans of the run, where somebody traces. */
  readonly trace: RunTrace | null;
}

/** No id in the log is longer. */
const callCharsMax = 2_000;

/** The id by which a tool knows its call: what the function gave, if it gave one. It is checked before anything is begun. */
function callIdOf(options: { readonly toolCallId?: unknown } | undefined, own: string): string {
  const given = options?.toolCallId;
  if (given === undefined || given === "") return own;
  if (typeof given === "string" && given.length <= callCharsMax) return given;
  const problem = `expected a text of at most ${callCharsMax} characters`;
  throw new TeamError("bad_input", { what: "toolCallId", problem });
}

/** The tools of a function agent: each call is judged first, and rejects with `permission_denied` when it must not run. */
export function gatedTools(tools: ToolSet, { gate, nextCall, pend, trace }: GatedTools): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]): [string, ToolSet[string]] => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    const gated = async (input: unknown, options: Parameters<typeof execute>[1]): Promise<unknown> => {
      const call = { call: nextCall(), tool: name, input, isOwn: true };
      const known = callIdOf(options, call.call);
      const judged = await gate.judge(call);
      if ("error" in judged) throw judged.error;
      const { permits } = permitsOf(gate, call);
      const run = async (): Promise<unknown> => {
        // A tool's types are its owner's: what was judged is a copy of what it was given.
        const result: unknown = await execute(judged.input as never, { ...options, context: permits as never });
        if (!isPending(result)) return result;
        return pend({ call: known, tool: name }, result);
      };
      return trace === null ? run() : trace.ownTool({ ...call, input: judged.input }, run);
    };
    return [name, { ...tool, execute: gated }];
  });
  return Object.fromEntries(entries);
}
