import type { MemberActivity, MemberRecord, RunData } from "../../machines/index.ts";
import { isSilent, type MovedMember } from "./moved-member.ts";

/** What a live run must be seen to do, from what is open in it. */
function restOf({ run, snapshot }: MemberRecord): MemberActivity {
  if (run.planCall !== null) return "waiting_plan_approval";
  if (run.asks.length > 0) return "waiting_permission";
  if (run.externals.length > 0) return "waiting_external";
  if (run.calls.length > 0) return "tool";
  return startOf(snapshot.context);
}

/** Where a run begins. */
const startOf = ({ requirePlan, planned }: MemberRecord["snapshot"]["context"]): "planning" | "thinking" =>
  requirePlan && !planned ? "planning" : "thinking";

/** Inputs after which a run begins anew, with the calls of the one before to be ended. */
const begins: ReadonlySet<string> = new Set(["run.lost", "owner.claimed"]);
/** Reports that leave a run at what it does. */
const quiet: ReadonlySet<string> = new Set(["run.injected", "run.answered", "step.ended", "shutdown.replied"]);
/** Reports after which a run is over; if one is live, it is another one. */
const ends: ReadonlySet<string> = new Set(["run.completed", "run.failed", "turn.ended", "run.lost"]);

/** A run is numbered, shown and counted as it is: what is wrong, or null. */
export function runProblem(moved: MovedMember): string | null {
  return numberProblem(moved) ?? activityProblem(moved) ?? countProblem(moved);
}

/** No two runs have one number, and a run keeps its own: or what an old one reports would be taken for the new one's. */
function numberProblem({ was, is, from, to, report, plan, isAccepted }: MovedMember): string | null {
  const [before, after] = [was.snapshot.context.run, is.snapshot.context.run];
  const isNew =
    to.activity !== null &&
    (from.activity === null ||
      plan !== null ||
      (report !== null && ends.has(report)) ||
      (isAccepted && from.work !== to.work));
  // Who is asked to shut down goes on with the run that it has.
  if (isNew && (plan !== "shutdown" || from.activity === null) && after <= before)
    return `a new run of ${is.name} has the number of an old one`;
  if (!isNew && after !== before) return `the run of ${is.name} has another number`;
  const isWoken = to.activity !== null && (from.activity === null || plan === "retry");
  if (isWoken && (is.turn.turns !== 1 || is.turn.hops > 0))
    return `${is.name} was woken and counts ${is.turn.turns} turns`;
  if (after !== before && is.run.k > 0) return `a new run of ${is.name} begins with ${is.run.k} reports`;
  return null;
}

/** What a run shows is what it does. */
function activityProblem({ was, is, from, to, event, report, isAccepted }: MovedMember): string | null {
  const { activity, presence } = to;
  // Here too, since a state's key leaves the run of somebody who is gone out.
  if ((activity !== null) !== (presence === "running" || presence === "draining"))
    return `${is.name} is ${presence} and its run is ${activity ?? "over"}`;
  if (activity === null) return null;
  if (isAccepted && from.work === to.work && is.run.completeCall !== was.run.completeCall)
    return `an accepted complete of ${is.name} is forgotten`;
  const isBegun = event.type === "owner.claimed" || (report !== null && begins.has(report));
  if (isBegun && is.run.k + is.run.asks.length + is.run.externals.length > 0)
    return `a run of ${is.name} begins with what an old one has left`;
  if ((is.run.completeCall !== null) !== (activity === "completing"))
    return `${is.name} is ${activity}, and its complete is ${is.run.completeCall === null ? "not accepted" : "accepted"}`;
  if (activity === "completing") return null;
  if (report === "run.erred")
    return activity === "backing_off" ? null : `${is.name} is ${activity}, should be backing_off`;
  const goesOn = is.snapshot.context.run === was.snapshot.context.run && from.activity === activity;
  if (isBegun) return beginProblem(is, activity);
  if (goesOn && (report === null || quiet.has(report)) && isAsOpen(was.run, is.run)) return null;
  const rest = restOf(is);
  return activity === rest ? null : `${is.name} is ${activity}, should be ${rest}`;
}

/** Whether the same things are open in a run as before. */
const isAsOpen = (was: RunData, is: RunData): boolean =>
  was === is ||
  (was.calls === is.calls && was.asks === is.asks && was.externals === is.externals && was.planCall === is.planCall);

function beginProblem(is: MemberRecord, activity: MemberActivity): string | null {
  const start = startOf(is.snapshot.context);
  return activity === start ? null : `${is.name} is ${activity}, should begin with ${start}`;
}

/** Nudges, losses, the plan and the refusal count from the start of an attempt, and for a reason. */
function countProblem(moved: MovedMember): string | null {
  const { was, is, from, to, report, event } = moved;
  const [before, after] = [was.snapshot.context, is.snapshot.context];
  if (after.attempt !== before.attempt)
    return after.nudges + after.losses > 0 || after.planned || after.refused
      ? `a new attempt of ${is.name} begins with counts of the old one`
      : null;
  const isNudge =
    report === "turn.ended" && to.work === "in_progress" && isSilent(moved) && from.presence === "running";
  if (after.nudges !== before.nudges + (isNudge ? 1 : 0)) return `${is.name} was nudged ${after.nudges} times`;
  const isLoss = report === "run.lost" && to.activity !== null && from.work === to.work && !moved.isOffered;
  const losses = report === "step.ended" ? 0 : before.losses + (isLoss ? 1 : 0);
  if (after.losses !== losses) return `${is.name} lost ${after.losses} runs in a row, should be ${losses}`;
  const isApproved = event.type === "plan.answer" && event.approve && was.run.planCall !== null;
  if (after.planned !== (before.planned || isApproved))
    return `the plan of ${is.name} is ${after.planned ? "" : "not "}approved`;
  const isRefusal = report === "shutdown.replied" && from.presence === "draining" && to.presence === "running";
  return after.refused === (before.refused || isRefusal) ? null : `the refusal of ${is.name} is miscounted`;
}
