import type { TeamOutcome } from "../../protocol/reply.ts";

/** A team that was dissolved. */
export interface PastTeam {
  readonly name: string;
  readonly outcome: TeamOutcome;
  /** How many members it had. */
  readonly members: number;
  readonly createdAt: number;
  readonly dissolvedAt: number;
}
