import type { PresenceState, WorkState } from "../../protocol/reply.ts";
import type { RunActivity } from "../member-events.ts";
import type { LeadSnapshot, MemberSnapshot, TeamSnapshot } from "./state.ts";

/** What a live run does. */
export type MemberActivity = RunActivity | "backing_off" | "completing";

/** A member's state in wire values. */
export interface MemberFacts {
  readonly work: WorkState;
  readonly presence: PresenceState;
  /** Null without a live run. */
  readonly activity: MemberActivity | null;
}

/** What a lead's turn does. */
export type LeadTurn =
  | "waiting_user"
  | "thinking"
  | "tool"
  | "waiting_external"
  | "awaiting_team"
  | "asking_user"
  | "backing_off"
  | "ended"
  | "shutdown";

/** A lead's turn, and whether a run of it must be alive. */
export interface LeadFacts {
  readonly turn: LeadTurn;
  readonly live: boolean;
}

/** A team's state as `region.state`, without its region where that says nothing. */
export type TeamFacts =
  | "forming"
  | "rejected"
  | "running"
  | "stalled"
  | "finished"
  | "dissolving"
  | "completed"
  | "failed"
  | "dissolved";

/** Reads snapshots as facts; interned snapshots make every answer a table look-up. */
export interface FactReader {
  member(snapshot: MemberSnapshot): MemberFacts;
  lead(snapshot: LeadSnapshot): LeadFacts;
  team(snapshot: TeamSnapshot): TeamFacts;
}

const memberFacts = ({ value }: MemberSnapshot): MemberFacts => ({
  work: value.work,
  presence: value.presence,
  // XState also lists the transient `choosing`, in which no snapshot ever rests.
  activity: typeof value.run === "string" ? null : (value.run.live as MemberActivity),
});

const leadFacts = ({ value }: LeadSnapshot): LeadFacts =>
  typeof value.turn === "string" ? { turn: value.turn, live: false } : { turn: value.turn.live, live: true };

function teamFacts({ value }: TeamSnapshot): TeamFacts {
  if (typeof value === "string") return value;
  if ("active" in value) return value.active;
  return "dissolved" in value ? value.dissolved : "dissolving";
}

/** Makes a reader with its own tables. */
export function createFactReader(): FactReader {
  const remember = <Snapshot extends object, Facts>(read: (snapshot: Snapshot) => Facts) => {
    const known = new WeakMap<Snapshot, Facts>();
    return (snapshot: Snapshot): Facts => {
      let facts = known.get(snapshot);
      if (facts === undefined) known.set(snapshot, (facts = read(snapshot)));
      return facts;
    };
  };
  return { member: remember(memberFacts), lead: remember(leadFacts), team: remember(teamFacts) };
}
