import { dagShapes } from "../../testing/index.ts";
import { shapeText, type CheckedTeam } from "./checked-team.ts";

/** Every team of so many members: each shape of graph, all oneshot and all persistent. */
export const builtInTeams = (counts: readonly number[]): readonly CheckedTeam[] =>
  counts.flatMap((count) =>
    dagShapes(count).flatMap((members) =>
      (["oneshot", "persistent"] as const).map((lifetimes) => ({
        name: `${shapeText(members)}, ${lifetimes}`,
        model: { members, lifetimes },
      })),
    ),
  );
