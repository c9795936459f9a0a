import { failureAndReplan } from "./failure-and-replan.ts";
import { hostParts } from "./host-parts.ts";
import type { KilledTeam } from "./killed-team.ts";
import { permissionAndPoll } from "./permission-and-poll.ts";
import { taskBoard } from "./task-board.ts";

/** The teams that are killed, by name. */
export const killedTeams = {
  "failure-and-replan": failureAndReplan,
  "permission-and-poll": permissionAndPoll,
  "task-board": taskBoard,
  "host-parts": hostParts,
} satisfies Record<string, KilledTeam>;

/** One of them. */
export type TeamName = keyof typeof killedTeams;
