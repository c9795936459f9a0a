import type { MemberFacts, MemberRecord, SessionState } from "../../machines/index.ts";
import { lossesMax, nudgesMax } from "../../machines/member-events.ts";
import { hasMail } from "../../machines/kernel/shutdown.ts";
import type { InputEvent } from "../../protocol/input.ts";
import { collisionKey } from "../../protocol/names.ts";
import type { Plan } from "../../protocol/plan.ts";
import type { JudgedStep } from "./guarantee.ts";

/** One member around one step, with what an input that was carried out says to it. */
export interface MovedMember {
  /** The session after the step. */
  readonly after: JudgedStep["after"];
  readonly was: MemberRecord;
  readonly is: MemberRecord;
  readonly from: MemberFacts;
  readonly to: MemberFacts;
  readonly event: InputEvent;
  /**
   * The type of what its own run reported, or of what was said of that run; null for any other input. A delivery that a hook
   * did not let pass is the end of a turn.
   */
  readonly report: InputEvent["type"] | null;
  /** What a plan that was carried out does to it; nothing to who was cancelled before, though it may be replaced. */
  readonly plan: "cancel" | "retry" | "shutdown" | null;
  /** Mail that it has to read after what its run reported: what was unread, and what a hook has to say. */
  readonly mustRead: boolean;
  /** Whether what a hook said to that keeps it from its end. */
  readonly isKept: boolean;
  /** A hook of the host stopped it. */
  readonly isStopped: boolean;
  /** Its `complete` was accepted before this step. */
  readonly isAccepted: boolean;
  /** It was woken for a task of the board. */
  readonly isOffered: boolean;
  /** The team is on its way out, or gone. */
  readonly isLeaving: boolean;
}

/** A member around a step that was carried out. */
export function movedMember(
  { facts, record, before, after }: Pick<JudgedStep, "facts" | "record" | "before" | "after">,
  was: MemberRecord,
  is: MemberRecord,
  isLeaving: boolean,
): MovedMember {
  const { event, actor } = record.input;
  const from = facts.member(was.snapshot);
  const isOwn = actor === is.token;
  const isKept = isOwn && heeds(event, was, from, after);
  const planned = record.plan === undefined ? null : planFor(record.plan, is.name);
  return {
    after,
    was,
    is,
    from,
    to: facts.member(is.snapshot),
    event,
    report: isKept && isDeliveryBlocked(event) ? "turn.ended" : isOwn ? reportOf(event) : null,
    isKept,
    mustRead: hasMail(was.unread) || isKept,
    isStopped: isOwn && event.type === "run.failed" && event.stop === true,
    plan: planned === "cancel" && from.work === "cancelled" ? null : planned,
    isAccepted: was.run.completeCall !== null,
    isOffered: isOffered(before, after, is.token),
    isLeaving,
  };
}

/** Whether a member was woken for a task by this step. */
function isOffered(before: SessionState, after: SessionState, token: string): boolean {
  const tasks = after.team?.board?.tasks ?? [];
  const asked = (session: SessionState, id: number): string | null =>
    session.team?.board?.tasks[id - 1]?.offeredTo ?? null;
  return tasks.some(({ id, offeredTo }) => offeredTo === token && asked(before, id) !== token);
}

/** An interrupt says of a run what the run would say of its failure. */
function reportOf(event: InputEvent): InputEvent["type"] | null {
  if (event.type === "member.interrupt") return "run.failed";
  return "run" in event && event.type !== "run.adopted" ? event.type : null;
}

const isDeliveryBlocked = (event: InputEvent): boolean =>
  event.type === "run.completed" && event.hook?.on === "complete";

/**
 * Whether what a hook said keeps a run from its end: a delivery always; a persistent member's rest three times, while it has
 * turns left, nothing to read, and nobody asked it to go.
 */
function heeds(event: InputEvent, was: MemberRecord, from: MemberFacts, after: JudgedStep["after"]): boolean {
  if (isDeliveryBlocked(event)) return from.work === "in_progress";
  const isIdle = "hook" in event && event.hook !== undefined && "on" in event.hook && event.hook.on === "idle";
  const mayStay = was.lifetime === "persistent" && from.presence === "running" && was.unread.length === 0;
  const turnsMax = was.invited?.turnsMax ?? after.config?.limits.turnsMax ?? Infinity;
  return isIdle && mayStay && was.turn.idleBlocks < nudgesMax && was.turn.turns < turnsMax;
}

function planFor(plan: Plan, name: string): MovedMember["plan"] {
  if (!("rewire" in plan)) return null;
  const key = collisionKey(name);
  const names = (others: readonly string[]): boolean => others.some((other) => collisionKey(other) === key);
  if (names(plan.cancel) || names(plan.add.flatMap(({ replaces }) => replaces ?? []))) return "cancel";
  if (names(plan.retry.map((each) => each.name))) return "retry";
  return names(plan.shutdown) ? "shutdown" : null;
}

/** Whether this loss of its run is the last one that its attempt has. */
export const isLastLoss = ({ was }: MovedMember): boolean => was.snapshot.context.losses + 1 >= lossesMax;

/** Calls that are open beside its accepted `complete`. */
export const hasOtherCalls = ({ was: { run } }: MovedMember): boolean =>
  run.calls.some((call) => call !== run.completeCall);

/** Whether the turn that ends here is one too many for its budget. */
export function isOutOfTurns({ after, was, from, isAccepted, mustRead }: MovedMember): boolean {
  const max = after.config?.limits.turnsMax ?? Infinity;
  const { lifetime, nudges } = was.snapshot.context;
  const isNudged = from.work === "in_progress" && lifetime === "oneshot" && nudges < nudgesMax;
  return !isAccepted && was.turn.turns >= max && (mustRead || isNudged);
}

/** Whether a oneshot member ends its turn in silence, with nothing to go on with. */
export const isSilent = ({ was, isAccepted, mustRead }: MovedMember): boolean =>
  !isAccepted && !mustRead && was.lifetime === "oneshot";
