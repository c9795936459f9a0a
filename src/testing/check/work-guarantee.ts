import { nudgesMax } from "../../machines/member-events.ts";
import type { PresenceState, WorkState } from "../../protocol/reply.ts";
import { hasOtherCalls, isLastLoss, isOutOfTurns, isSilent, type MovedMember } from "./moved-member.ts";

/** Work and presence move for a reason, and when there is one: what is wrong, or null. */
export function workProblem(moved: MovedMember): string | null {
  const { was, is, from, to, event } = moved;
  const work = expectedWork(moved);
  if (work !== null && to.work !== work) return `${is.name} is ${to.work} after ${event.type}, should be ${work}`;
  if (work === null && from.work !== to.work && !mayMove(moved)) return `${is.name} became ${to.work} without a reason`;
  const [before, after] = [was.snapshot.context.attempt, is.snapshot.context.attempt];
  const isStarted = to.work === "in_progress" && (from.work !== "in_progress" || moved.plan === "retry");
  if (after !== before + (isStarted ? 1 : 0)) return `${is.name} went from attempt ${before} to ${after}`;
  const isTold = is.unread.some((mail) => mail.notice === "hook_feedback" && !was.unread.includes(mail));
  if (isTold !== (moved.isKept && to.presence === "running"))
    return `${is.name} was ${isTold ? "" : "not "}kept by a hook`;
  const presence = expectedPresence(moved);
  // Who idles with mail unread is G4's business.
  const leavesMail = to.presence === "idle" && is.unread.length > 0;
  // Who came to rest may be woken for a task at once.
  const isWoken = moved.isOffered && presence === "idle" && to.presence === "running";
  if (presence !== null && to.presence !== presence && !leavesMail && !isWoken)
    return `${is.name} is ${to.work}/${to.presence} after ${event.type}, should be ${presence}`;
  if (presence === null && from.presence !== to.presence && !mayComeOrGo(moved))
    return `${is.name} went from ${from.presence} to ${to.presence} without a reason`;
  return null;
}

/** What an input makes of the work of a member, where there is no choice. */
function expectedWork(moved: MovedMember): WorkState | null {
  const { from, plan, report } = moved;
  if (plan === "cancel") return "cancelled";
  if (from.work !== "in_progress") return null;
  if (isDelivery(moved)) return "completed";
  if (isFailure(moved)) return "failed";
  if (report === "turn.ended" && from.presence === "draining") return "cancelled";
  if (report === "shutdown.replied" && from.presence === "draining")
    return isRefused(moved) ? "in_progress" : "cancelled";
  return report === null ? null : "in_progress";
}

/** A member delivers by saying so, or once its accepted `complete` has nothing more to wait for. */
function isDelivery(moved: MovedMember): boolean {
  const { report, isAccepted, event } = moved;
  if (report === "run.completed") return true;
  if (!isAccepted) return false;
  if (event.type === "owner.claimed") return !hasOtherCalls(moved);
  if (report === "run.lost") return !hasOtherCalls(moved) || isLastLoss(moved);
  return report === "step.ended" || report === "turn.ended" || report === "run.failed";
}

function isFailure(moved: MovedMember): boolean {
  const { report, isAccepted, from, was } = moved;
  if (isAccepted) return false;
  if (report === "run.lost") return isLastLoss(moved);
  if (report !== "turn.ended") return report === "run.failed";
  if (isOutOfTurns(moved)) return true;
  return from.presence !== "draining" && isSilent(moved) && was.snapshot.context.nudges >= nudgesMax;
}

/** Its first refusal to shut down stands. */
const isRefused = ({ event, was }: MovedMember): boolean =>
  event.type === "shutdown.replied" && !event.accept && !was.snapshot.context.refused;

function mayMove({ is, from, to, plan, event, isLeaving, after }: MovedMember): boolean {
  switch (to.work) {
    case "in_progress":
      return from.work === "blocked" || plan === "retry";
    case "blocked":
      return plan === "retry";
    case "cancelled":
      if (isLeaving || event.type === "timer.due" || (plan === "shutdown" && is.invited !== null))
        return from.work !== "completed";
      return from.work === "blocked" && after.team?.upstreamFailure === "cancel";
    default:
      return false;
  }
}

/** Where a member is found after an input, where there is no choice. */
function expectedPresence(moved: MovedMember): PresenceState | null {
  const { from, to, is, plan, report } = moved;
  const isPersistent = is.lifetime === "persistent";
  const stays = is.unread.length > 0 ? "running" : "idle";
  if (from.work !== to.work && to.work === "failed") return from.presence === "draining" ? "shutdown" : "parked";
  if (moved.isStopped && to.work !== "failed") return "shutdown";
  if (from.work !== to.work && to.work === "completed")
    return isPersistent && from.presence === "running" ? stays : "shutdown";
  if (plan === "cancel" && from.work !== to.work) {
    const isGoing = from.presence === "draining" || from.presence === "shutdown";
    if (!isPersistent || from.work === "blocked" || isGoing) return "shutdown";
    return from.presence === "running" ? stays : "idle";
  }
  if (plan === "retry") return to.work === "blocked" ? "parked" : "running";
  if (plan === "shutdown") return is.invited === null ? "draining" : "shutdown";
  if (report === "shutdown.replied" && from.presence === "draining") return isRefused(moved) ? "running" : "shutdown";
  if (from.presence === "draining") return endsDraining(moved) ? "shutdown" : null;
  return from.presence === "running" ? afterReport(moved, stays) : null;
}

const endsDraining = (moved: MovedMember): boolean =>
  ["run.completed", "run.failed", "turn.ended"].includes(moved.report ?? "") ||
  (moved.report === "run.lost" && isLastLoss(moved));

/** Where a member goes on that was running and reported something that did not end its work. */
function afterReport(moved: MovedMember, stays: PresenceState): PresenceState | null {
  const { report, from, is, isLeaving } = moved;
  if (report === "run.completed") return stays;
  if (report === "run.failed") return "idle";
  if (report === "run.lost") return isLastLoss(moved) && !moved.isAccepted ? "idle" : "running";
  if (report !== "turn.ended") return report === null || isLeaving ? null : "running";
  if (from.work === "in_progress" && is.lifetime === "oneshot") return "running";
  return isOutOfTurns(moved) ? "idle" : stays;
}

function mayComeOrGo({ from, to, is, event, isLeaving }: MovedMember): boolean {
  switch (to.presence) {
    case "running":
      return from.presence === "parked" ? to.work === "in_progress" : from.presence === "idle" && is.unread.length > 0;
    case "draining":
      return isLeaving && from.presence === "running";
    case "shutdown":
      return isLeaving || event.type === "timer.due" || (from.work === "blocked" && to.work === "cancelled");
    default:
      return false;
  }
}
