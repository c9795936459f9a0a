import type { KernelRecord, SessionState } from "../../machines/index.ts";
import { collisionKey } from "../../protocol/names.ts";
import type { MoveInput } from "./move.ts";

/** The next record of a session. Every input is dated one millisecond after the one before, a timer when it is due. */
export function recordOf(session: SessionState, given: MoveInput): KernelRecord {
  const seq = session.seq + 1;
  const { plan, epoch = session.epoch, actor, from, event, command } = given;
  const input = {
    id: `i${seq}`,
    at: event.type === "timer.due" ? Math.max(session.at, dueAt(session, event.key)) : session.at + 1,
    actor: tokenOf(session, actor),
    from: tokenOf(session, from),
    epoch,
    event,
    ...(command && { command }),
  };
  return plan === undefined ? { seq, input } : { seq, input, plan };
}

/** When a timer is due; now, where it isn't armed. */
function dueAt(session: SessionState, key: string): number {
  const armed = [
    ...session.polls.map((poll) => ({ key: `poll:${poll.call}`, ...poll.deadline })),
    ...session.requests.map((request) => ({ key: `permission:${request.id}`, ...request.deadline })),
    ...session.outside.flatMap(({ actor, call, deadline }) =>
      deadline === null ? [] : [{ key: `external:${actor}:${call}`, ...deadline }],
    ),
    ...(session.team?.grace ? [{ key: "grace", ...session.team.grace }] : []),
  ].find((each) => each.key === key);
  return armed === undefined ? session.at + 1 : armed.armedAt + armed.ms;
}

/** The token of a member's display name; tokens stay as they are. */
function tokenOf(session: SessionState, actor: string): string {
  if (session.members.has(actor)) return actor;
  return session.team?.byKey.get(collisionKey(actor.normalize("NFC"))) ?? actor;
}
