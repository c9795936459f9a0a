import type { ToolSet } from "ai";
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

/** The tools of a function agent: each call is judged first, and rejects with `permission_denied` when it must not run. */
export function gatedTools(tools: ToolSet, { gate, nextCall, pend, trace }: GatedTools): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]): [string, ToolSet[string]] => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    const gated = async (input: unknown, options: Parameters<typeof execute>[1]): Promise<unknown> => {
      const call = { call: nextCall(), tool: name, input, isOwn: true };
      const judged = await gate.judge(call);
      if ("error" in judged) throw judged.error;
      const { permits } = permitsOf(gate, call);
      const run = async (): Promise<unknown> => {
        // A tool's types are its owner's: what was judged is a copy of what it was given.
        const result: unknown = await execute(judged.input as never, { ...options, context: permits as never });
        if (!isPending(result)) return result;
        // The tool knows its call by the id that its caller gave it.
        return pend({ call: options.toolCallId === "" ? call.call : options.toolCallId, tool: name }, result);
      };
      return trace === null ? run() : trace.ownTool({ ...call, input: judged.input }, run);
    };
    return [name, { ...tool, execute: gated }];
  });
  return Object.fromEntries(entries);
}
