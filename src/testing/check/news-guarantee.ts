import type { MemberRecord, SessionState } from "../../machines/index.ts";
import { isLeaving, teamState, type JudgedStep } from "./guarantee.ts";

/** What happened is told: by versions, by notices, by the reasons of failures. */

/** Whoever waits for a version, or for a change of an actor, hears of it, as a part of G8: what is wrong with a step, or null. */
export function newsProblem(step: JudgedStep): string | null {
  const { before, after, applied } = step;
  const changed = changeProblem(step);
  if (changed !== null || applied.verdict !== "handled" || before.team?.token !== after.team?.token) return changed;
  const isVisible = step.changed.some(([was, is]) => was !== null && isMoved(step, was, is));
  if (isVisible && after.version <= before.version) return "somebody moved and the version stayed";
  const news = newsOf(step);
  if (news !== null && after.notableVersion <= before.notableVersion)
    return `${news}, and nobody is told that waits for news`;
  return planNewsProblem(step);
}

/** A host looks at those alone who are said to have changed: what it is not told of is never started, and never stopped. */
function changeProblem({ before, after, applied, changed }: JudgedStep): string | null {
  for (const [, { token, name }] of changed)
    if (!applied.changed.has(token)) return `${name} changed and nobody was told`;
  if (before.lead !== after.lead && !applied.changed.has("lead")) return "the lead changed and nobody was told";
  const token = after.team?.token;
  return token !== undefined && before.team !== after.team && !applied.changed.has(token)
    ? "the team changed and nobody was told"
    : null;
}

function isMoved({ facts }: JudgedStep, was: MemberRecord, is: MemberRecord): boolean {
  const [from, to] = [facts.member(was.snapshot), facts.member(is.snapshot)];
  return from.work !== to.work || from.presence !== to.presence || from.activity !== to.activity;
}

/** What a lead that waits for news wants to know, in words, or null. */
function newsOf(step: JudgedStep): string | null {
  const { before, after, applied, facts } = step;
  for (const [was, is] of step.changed) {
    const { work } = facts.member(is.snapshot);
    const isEnd = work === "completed" || work === "failed";
    if (was !== null && isEnd && facts.member(was.snapshot).work !== work) return `${is.name} ${work}`;
  }
  const [was, is] = [teamState({ session: before, facts }), teamState({ session: after, facts })];
  if (was !== is && (is === "stalled" || is === "finished")) return `the team is ${is}`;
  const ids = ({ requests }: SessionState): string => requests.map(({ id }) => id).join();
  if (before.requests !== after.requests && ids(before) !== ids(after)) return "a request began or ended";
  return applied.mail.some((fact) => fact.type === "accepted" && fact.to === "lead" && fact.mail.wakes)
    ? "the Lead has mail"
    : null;
}

/** What the user does to the team of a hosted lead, that lead is told. */
function planNewsProblem({ before, after, record, applied, facts }: JudgedStep): string | null {
  const { event, from } = record.input;
  if (from !== "user" || after.config?.lead !== "hosted") return null;
  const isPlan = event.type === "team.replan" || event.type === "team.invite";
  const isDissolve = event.type === "team.dissolve" && !isLeaving(before, facts);
  if (!isPlan && !isDissolve) return null;
  const notice = isPlan ? "user_planned" : "team_dissolved";
  const isTold = applied.mail.some((fact) => fact.type === "accepted" && fact.mail.notice === notice);
  return isTold ? null : `the user did ${event.type} and the lead was not told`;
}

/** A failure has the reason that it had, for everybody, and what became of whom it holds up; a part of G5. */
export function reasonProblem(step: JudgedStep): string | null {
  const { after, applied, facts } = step;
  for (const [was, is] of step.changed) {
    const { work } = facts.member(is.snapshot);
    if (work !== "failed" || (was !== null && facts.member(was.snapshot).work === "failed")) continue;
    if (!isReasonOf(step, is.reason ?? "")) return `${is.name} failed for "${is.reason ?? ""}", which is not why`;
    if (isLeaving(after, facts)) continue;
    const told = applied.mail.flatMap((fact) =>
      fact.type === "accepted" && fact.mail.notice === "member_failed" && fact.mail.about === is.name ? fact.mail : [],
    );
    if (told.some(({ reason }) => reason !== is.reason)) return `the Lead was told another reason of ${is.name}`;
    const spared = after.team?.upstreamFailure === "cancel" ? sparedBy(step, is) : null;
    if (spared !== null) return `${is.name} failed, and ${spared} waits on behind it`;
  }
  return null;
}

/** Whether a reason begins with the class that the input of this step stands for. */
function isReasonOf({ record }: JudgedStep, reason: string): boolean {
  const { event } = record.input;
  if (event.type === "run.failed") return reason === event.reason;
  if (event.type === "run.lost") return reason.startsWith("owner_lost");
  if (event.type === "member.interrupt") return reason.startsWith("interrupted");
  return reason.startsWith("no_report") || reason.startsWith("budget");
}

/** Somebody who waits, near or far, for a member that failed, in a team that cancels those; or null. */
function sparedBy({ before, after, facts }: JudgedStep, failed: MemberRecord): string | null {
  const queue = [failed.token];
  const seen = new Set(queue);
  // The queue grows while it is walked.
  for (const token of queue) {
    for (const down of after.members.get(token)?.downstream ?? []) {
      const [was, is] = [before.members.get(down), after.members.get(down)];
      if (seen.has(down) || was === undefined || is === undefined) continue;
      seen.add(down);
      queue.push(down);
      if (facts.member(was.snapshot).work === "blocked" && facts.member(is.snapshot).work === "blocked") return is.name;
    }
  }
  return null;
}

/** Only what failed, was cancelled or stopped has a reason: what is wrong with a state, or null. */
export function reasonStateProblem({ members }: SessionState, facts: JudgedStep["facts"]): string | null {
  for (const { name, reason, snapshot } of members.values()) {
    const { work } = facts.member(snapshot);
    if (reason !== null && (work === "blocked" || work === "in_progress")) return `${name} is ${work} and has failed`;
  }
  return null;
}
