import type { Severity } from "../finding.ts";
import type { Remark } from "../rule.ts";
import type { NodeOf, NodeType, Node } from "../syntax/node.ts";
import type { SourceModule } from "../syntax/source-module.ts";
import { functionAround, loopsAround, type Loop } from "../syntax/surroundings.ts";
import { hotAround, type HotFunction } from "./hot-functions.ts";

/** How often a place runs. */
export interface Heat {
  /** The request handler that leads here, or null. */
  readonly handler: string | null;
  /** The loops that repeat it, innermost first. */
  readonly loops: readonly Loop[];
  readonly isInAsync: boolean;
  readonly isInFunction: boolean;
  /** Command line tools, build scripts and the like: one user waits, nobody else. */
  readonly isScript: boolean;
}

/** One thing to look for that costs time or memory. */
export interface PerformanceRule {
  readonly name: string;
  readonly check: (module: SourceModule, hot: ReadonlyMap<Node, HotFunction>) => readonly Remark[];
}

/** How often `node` runs, as far as the code around it shows. */
export const heatOf = (node: Node, module: SourceModule, hot: ReadonlyMap<Node, HotFunction>): Heat => {
  const fn = functionAround(node, module);
  const around = hotAround(node, module, hot);
  return {
    handler: around === null ? null : `${around.label} at ${around.place}`,
    loops: loopsAround(node, module),
    isInAsync: fn?.async === true,
    isInFunction: fn !== null,
    isScript: module.role !== "source",
  };
};

/** `severity`, one step worse on the way of requests. */
export const hotter = (severity: "low" | "medium", heat: Heat): Severity =>
  heat.handler === null ? severity : severity === "low" ? "medium" : "high";

/** The end of a message that says which handler leads to a place, or nothing. */
export const because = (heat: Heat): string =>
  heat.handler === null ? "" : ` It runs for every request (${heat.handler}).`;

/** A rule that looks at every node of some types, with how often each runs. */
export const performanceRule = <T extends NodeType>(
  name: string,
  types: readonly T[],
  check: (node: NodeOf<T>, module: SourceModule, heat: () => Heat) => Remark | null,
): PerformanceRule => ({
  name,
  check: (module, hot) =>
    types.flatMap((type) =>
      module.nodes(type).flatMap((node) => {
        // Most nodes are no candidates, so how hot they are is worked out only when asked.
        const at: Node = node;
        return check(node, module, () => heatOf(at, module, hot)) ?? [];
      }),
    ),
});
