import type { ToolSet } from "ai";
import { teamToolTraits, type ToolTraits } from "../../tools/index.ts";
import { workspaceToolTraits } from "../../tools/workspace/index.ts";
import { isToolNames } from "../agents/own-tools.ts";

/** What a run has to know of its tools, by name. */
export interface RunTraits {
  /** May be executed again after a run that was lost. */
  readonly idempotent: ReadonlySet<string>;
  /** Must not run beside others of the same step. */
  readonly serial: ReadonlySet<string>;
}

const builtIn: Readonly<Record<string, ToolTraits>> = { ...teamToolTraits, ...workspaceToolTraits };

/**
 * The traits of an agent's tools: known of the built-in ones, and for its own what it says. A tool of its own that is
 * called like one of the workspace has none of its traits.
 */
export function runTraits(
  tools: ToolSet | readonly string[] | undefined,
  idempotent: readonly string[] | undefined,
): RunTraits {
  const own = tools === undefined || isToolNames(tools) ? {} : tools;
  const namesWhere = (picks: (each: ToolTraits) => boolean): string[] =>
    Object.entries(builtIn).flatMap(([name, each]) => (picks(each) && !Object.hasOwn(own, name) ? [name] : []));
  return {
    idempotent: new Set([...namesWhere((each) => each.idempotent), ...(idempotent ?? [])]),
    serial: new Set(namesWhere((each) => !each.concurrent)),
  };
}
