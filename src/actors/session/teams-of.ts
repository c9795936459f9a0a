import type { TeamOutcome } from "../../protocol/reply.ts";
import type { TeamState } from "../../protocol/status.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** A team of a session in a list: one that is there, or what is kept of one that is dissolved. */
export interface TeamListing {
  readonly name: string;
  /** How it stands, or its outcome once it is dissolved. */
  readonly state: TeamState;
  readonly dissolved: boolean;
  /** How many members it has or had. */
  readonly members: number;
  /** When it was created, ms of the wall clock. */
  readonly createdAt: number;
  /** When it was dissolved; null while it is not. */
  readonly dissolvedAt: number | null;
}

const endings: ReadonlySet<string> = new Set<TeamOutcome>(["completed", "failed", "dissolved"]);

/** The teams of a session, the oldest first; those that are dissolved only where they are asked for. */
export function teamsOf(
  { state, facts }: SessionRuntime,
  { dissolved }: { readonly dissolved: boolean },
): readonly TeamListing[] {
  const past = dissolved
    ? state.pastTeams.map(({ outcome, ...team }) => ({ ...team, state: outcome, dissolved: true }))
    : [];
  const { team } = state;
  const now = team === null ? "none" : facts.team(team.snapshot);
  // A team that is still forming or was rejected is never kept; one that is dissolved is among the past ones.
  if (team === null || endings.has(now) || now === "forming" || now === "rejected" || now === "none") return past;
  const { name, createdAt, counts } = team;
  const there = { name, state: now, dissolved: false, members: counts.total, createdAt, dissolvedAt: null };
  return [...past, there];
}
