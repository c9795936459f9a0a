import { didYouMean } from "../../errors/index.ts";
import type { LeadTurn, MemberActivity, TeamFacts } from "../../machines/index.ts";
import { nearestName } from "../../protocol/names.ts";
import type { PresenceState, WorkState } from "../../protocol/reply.ts";

/** A property that asks for a state which there is not: it would be answered "no" for ever, and so hold or fail by a typo. */
export class UnknownStateError extends Error {
  override readonly name = "UnknownStateError";
}

type Names<Name extends string> = Readonly<Record<Name, true>>;

/** All that a member can be. */
export const memberStates: Names<WorkState | PresenceState | MemberActivity> = {
  blocked: true,
  in_progress: true,
  completed: true,
  failed: true,
  cancelled: true,
  parked: true,
  running: true,
  idle: true,
  draining: true,
  shutdown: true,
  thinking: true,
  tool: true,
  waiting_permission: true,
  waiting_external: true,
  planning: true,
  waiting_plan_approval: true,
  backing_off: true,
  completing: true,
};

/** All that a team can be. */
export const teamStates: Names<TeamFacts | "none"> = {
  none: true,
  forming: true,
  rejected: true,
  running: true,
  stalled: true,
  finished: true,
  dissolving: true,
  completed: true,
  failed: true,
  dissolved: true,
};

/** All that a lead's turn can be. */
export const leadTurns: Names<LeadTurn> = {
  waiting_user: true,
  thinking: true,
  tool: true,
  waiting_external: true,
  awaiting_team: true,
  asking_user: true,
  backing_off: true,
  ended: true,
  shutdown: true,
};

/** Throws when a state of this name is none of those that there are. */
export function requireState(whose: string, asked: unknown, known: Readonly<Record<string, true>>): void {
  const name = String(asked);
  if (Object.hasOwn(known, name)) return;
  const names = Object.keys(known);
  throw new UnknownStateError(
    `a ${whose} is never ${JSON.stringify(name)}${didYouMean(nearestName(name, names))}; it may be ${names.join(", ")}`,
  );
}
