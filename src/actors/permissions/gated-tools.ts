import type { ToolSet } from "ai";
import type { PermissionGate } from "./permission-gate.ts";
import type { RunTrace } from "../telemetry/run-trace.ts";
import { permitsOf } from "./permits-of.ts";

/** The tools of a function agent: each call is judged first, and rejects with `permission_denied` when it must not run. */
export function gatedTools(
  tools: ToolSet,
  gate: PermissionGate,
  { nextCall, trace }: { readonly nextCall: () => string; readonly trace: RunTrace | null },
): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]): [string, ToolSet[string]] => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    const gated = async (input: unknown, options: Parameters<typeof execute>[1]): Promise<unknown> => {
      const call = { call: nextCall(), tool: name, input, isOwn: true };
      const judged = await gate.judge(call);
      if ("error" in judged) throw judged.error;
      const { permits } = permitsOf(gate, call);
      // A tool's types are its owner's: what was judged is a copy of what it was given.
      const run = async (): Promise<unknown> =>
        execute(judged.input as never, { ...options, context: permits as never });
      return trace === null ? run() : trace.ownTool({ ...call, input: judged.input }, run);
    };
    return [name, { ...tool, execute: gated }];
  });
  return Object.fromEntries(entries);
}
