import { thrownText } from "../fields.ts";
import { freshFold } from "./fresh-fold.ts";
import { findBroken } from "./oracle.ts";
import type { SimNode } from "./sim-node.ts";
import type { World } from "./world.ts";

/** What is wrong in a simulated world. */
export interface SimulationProblem {
  /** `fold`: a state is no fold of the log; `oracle`: a guarantee is broken; `end`: it doesn't come to one; `fault`: the runtime reports one. */
  readonly check: "fold" | "oracle" | "end" | "fault";
  readonly text: string;
}

/** How the world stood when it came to rest, or didn't. */
export interface WorldEnd {
  readonly isAtRest: boolean;
  /** State of the team. */
  readonly state: string;
}

/** The first problem of a world, or null. */
export function judgeWorld(
  world: World,
  nodes: readonly SimNode[],
  { isAtRest, state }: WorldEnd,
): SimulationProblem | null {
  for (const { name, difference } of nodes)
    if (difference !== null)
      return { check: "fold", text: `the state of ${name} is no fold of the log: ${difference}` };
  const { lines } = freshFold(world.records);
  const records = world.records.map(({ seq, input, body }) => ({ seq, ...input, body }));
  const broken = findBroken({ records, lines, observations: world.observations });
  if (broken !== null) return { check: "oracle", text: broken };
  if (!isAtRest) return { check: "end", text: `it does not come to an end: the team is ${state}` };
  const [fault] = world.unexpected;
  if (fault !== undefined) return { check: "fault", text: `the runtime reports ${thrownText(fault)}` };
  return null;
}
