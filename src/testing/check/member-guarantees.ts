import type { FactReader, Mail, MemberRecord, SessionState } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";
import { isOver, teamState, type Guarantee, type JudgedStep } from "./guarantee.ts";
import { unseenProblem } from "./lead-guarantee.ts";
import { mailProblem, mailTrialProblem } from "./mail-guarantee.ts";
import { reasonProblem, reasonStateProblem } from "./news-guarantee.ts";
import { hookProblem, reportProblem } from "./report-guarantee.ts";
import { runProblem } from "./run-guarantee.ts";
import { staleProblem } from "./stale-guarantee.ts";
import { workProblem } from "./work-guarantee.ts";

/** G1 to G5: what holds for a member, its run, its work, its mail and its failure. */

/** Whether an input was to change nothing. */
const isUnmoved = ({ applied: { verdict } }: JudgedStep): boolean => verdict !== "handled" && verdict !== "ignored";

const upstreams: Guarantee = {
  name: "G1 no member works before its upstreams completed",
  state({ session, facts }) {
    for (const { name, snapshot } of session.members.values()) {
      const { work, presence, activity } = facts.member(snapshot);
      if (activity !== null && snapshot.context.attempt === 0) return `${name} has a run without a start`;
      if (work === "blocked" && presence !== "parked") return `${name} is blocked and ${presence}`;
      if (presence === "parked" && work !== "blocked" && work !== "failed") return `${name} is parked and ${work}`;
    }
    return null;
  },
  step(step) {
    const { after, facts } = step;
    if (after.team?.upstreamFailure === "skip") return null;
    for (const [was, is] of step.changed) {
      if (is.snapshot.context.attempt === (was?.snapshot.context.attempt ?? 0)) continue;
      for (const token of is.dependsOn) {
        const upstream = after.members.get(token);
        if (upstream === undefined || facts.member(upstream.snapshot).work === "completed") continue;
        return `${is.name} was started while ${upstream.name} is ${facts.member(upstream.snapshot).work}`;
      }
    }
    return null;
  },
};

const currentRun: Guarantee = {
  name: "G2 only the current run of a member changes anything",
  state(state) {
    const { session, facts } = state;
    for (const { name, snapshot, run } of session.members.values()) {
      const { presence, activity } = facts.member(snapshot);
      const isThere = presence === "running" || presence === "draining";
      if ((activity !== null) !== isThere) return `${name} is ${presence} and its run is ${activity ?? "over"}`;
      if (activity === null && run.calls.length + run.asks.length + run.remembered.length > 0)
        return `an ended run of ${name} left something open`;
      if (run.completeCall !== null && activity !== "completing") return `an accepted complete of ${name} is forgotten`;
    }
    const { runs } = state;
    if (runs.some(({ actor }, place) => runs.findIndex((run) => run.actor === actor) < place))
      return "two runs of one actor are wanted";
    return reportProblem(state);
  },
  step(step) {
    const { before, after, applied } = step;
    if (applied.verdict === "error") return `the kernel broke: ${applied.why ?? ""}`;
    const old = oldRunProblem(step);
    if (old !== null) return old;
    for (const moved of step.moved) {
      const problem = runProblem(moved);
      if (problem !== null) return problem;
    }
    if (!isUnmoved(step)) return null;
    if (before.team !== after.team) return `a ${applied.verdict} input changed the team`;
    if (before.lead.snapshot !== after.lead.snapshot) return `a ${applied.verdict} input changed the lead`;
    for (const [was, is] of step.changed)
      if (was?.snapshot !== is.snapshot || was.unread !== is.unread)
        return `a ${applied.verdict} input changed ${is.name}`;
    return null;
  },
  tried: staleProblem,
};

/** What is reported, lost or asked for by a run that is not the current one of this owner, or by one that adopted it. */
function oldRunProblem({ before, record, applied, facts }: JudgedStep): string | null {
  if (applied.verdict !== "handled" && applied.verdict !== "ignored") return null;
  const { event, actor, from, epoch, command } = record.input;
  const number = command !== undefined && "call" in command ? command.run : "run" in event ? event.run : null;
  if (number === null) return null;
  const worker = workerOf(before, facts, command === undefined ? actor : from);
  if (worker === null) return null;
  const { run, name } = worker;
  if (!worker.isLive || worker.n !== number) return `an old run of ${name} was listened to (${event.type})`;
  if (event.type !== "run.adopted" && epoch !== (run.adopted ?? before.epoch) && epoch !== before.epoch)
    return `a run of ${name} was listened to that an older owner has (${event.type})`;
  const isReport = "k" in event && event.type !== "run.adopted";
  return isReport && event.k !== run.k + 1 ? `report ${event.k} of ${name} was taken after ${run.k}` : null;
}

/** Whoever has runs: a member, or the lead. */
function workerOf({ members, lead }: SessionState, facts: FactReader, token: string) {
  if (token === "lead")
    return { name: LEAD, run: lead.run, n: lead.snapshot.context.run, isLive: facts.lead(lead.snapshot).live };
  const member = members.get(token);
  if (member === undefined) return null;
  const { name, run, snapshot } = member;
  return { name, run, n: snapshot.context.run, isLive: facts.member(snapshot).activity !== null };
}

const finality: Guarantee = {
  name: "G3 completed and cancelled are final for an attempt",
  step(step) {
    const { record, facts } = step;
    for (const [member, is] of step.changed) {
      if (member === null) continue;
      const [was, now] = [facts.member(member.snapshot), facts.member(is.snapshot)];
      if (was.work === "cancelled" && now.work !== "cancelled") return `${is.name} left cancelled`;
      if (was.presence === "shutdown" && now.presence !== "shutdown") return `${is.name} came back`;
      if (was.work === "completed" && now.work !== "completed" && record.input.event.type !== "team.replan")
        return `the work of ${is.name} was undone`;
    }
    for (const moved of step.moved) {
      const problem = workProblem(moved);
      if (problem !== null) return problem;
    }
    return null;
  },
  state({ session, facts }) {
    for (const { name, snapshot, invited } of session.members.values()) {
      const { work, presence } = facts.member(snapshot);
      if (presence === "shutdown" && (work === "blocked" || work === "in_progress"))
        return `${name} is gone and ${work}`;
      if (presence === "draining" && invited !== null) return `${name} is invited and was asked to shut down`;
      if (presence === "idle" && snapshot.context.lifetime !== "persistent") return `${name} is oneshot and idle`;
    }
    return null;
  },
};

const mail: Guarantee = {
  name: "G4 accepted mail is delivered once and in order, or dead-lettered",
  state({ session, facts }) {
    for (const { name, snapshot, unread, unreadBytes } of session.members.values()) {
      const { work, presence } = facts.member(snapshot);
      if (unreadBytes !== unread.reduce((sum, { bytes }) => sum + bytes, 0))
        return `the mailbox of ${name} is miscounted`;
      if (unread.length === 0) continue;
      if (presence === "idle" || presence === "shutdown" || work === "failed")
        return `${name} is ${work}/${presence} with ${unread.length} unread`;
    }
    return null;
  },
  step(step) {
    const { before, after, changed } = step;
    const done = hookProblem(step);
    if (done !== null) return done;
    const change = (key: "accepted" | "delivered" | "deadLettered"): number => after.mail[key] - before.mail[key];
    let unread = copiesIn(after.lead.unread) - copiesIn(before.lead.unread);
    for (const [was, is] of changed) unread += copiesIn(is.unread) - copiesIn(was?.unread ?? []);
    if (change("accepted") !== change("delivered") + change("deadLettered") + unread)
      return `accepted ${change("accepted")}, delivered ${change("delivered")}, dead-lettered ${change("deadLettered")}, unread ${unread}`;
    for (const [was, is] of changed) {
      if (was === null || was.unread === is.unread) continue;
      const ids = new Set(is.unread.map(({ id }) => id));
      if (ids.size !== is.unread.length) return `${is.name} has a message twice`;
      const kept = was.unread.filter(({ id }) => ids.has(id));
      if (kept.some(({ id }, index) => is.unread[index]?.id !== id)) return `the mailbox of ${is.name} lost its order`;
    }
    return null;
  },
  told: mailProblem,
  tried: mailTrialProblem,
};

/** Messages in a mailbox; notices are not counted. */
const copiesIn = (unread: readonly Mail[]): number =>
  unread.reduce((sum, { kind }) => sum + (kind === "system" ? 0 : 1), 0);

const failures: Guarantee = {
  name: "G5 a failure reaches the Lead with its reason",
  state({ session, facts }) {
    for (const { name, snapshot, reason } of session.members.values())
      if (reason === null && facts.member(snapshot).work === "failed") return `${name} failed without a reason`;
    const { turn } = facts.lead(session.lead.snapshot);
    if (turn !== "ended" && turn !== "waiting_user") return null;
    // Without a team it is the user whom it waits for.
    const wakes = session.lead.unread.some((each) => each.wakes && (turn === "ended" || each.notice === "user_said"));
    return wakes ? "the lead sleeps on news" : null;
  },
  step(step) {
    const { before, facts } = step;
    const unseen = unseenProblem(step);
    if (unseen !== null) return unseen;
    const state = teamState({ session: before, facts });
    for (const [was, is] of step.changed) {
      const silent = was === null ? null : silenceOf(step, was, is);
      if (silent !== null) return silent;
      if (state === "dissolving" || isOver(state)) continue;
      const failed =
        facts.member(is.snapshot).work === "failed" && (was === null || facts.member(was.snapshot).work !== "failed");
      const silence = failed ? silenceAbout(step, is.name) : null;
      if (silence !== null) return silence;
    }
    return null;
  },
  told: reasonProblem,
  tried: ({ session, facts }) => reasonStateProblem(session, facts),
};

/** What else the Lead is told of a member: that it idles without a result, failed after it, or will not shut down. */
function silenceOf({ applied, record, facts }: JudgedStep, was: MemberRecord, is: MemberRecord): string | null {
  const [from, to] = [facts.member(was.snapshot), facts.member(is.snapshot)];
  const isTold = (notice: string): boolean =>
    applied.steps.some(({ event, from: about }) => event.type === `notice.${notice}` && about === is.name);
  if (from.presence === "draining" && to.presence === "running" && !isTold("shutdown_refused"))
    return `${is.name} refused to shut down and nobody was told`;
  if (from.presence !== "running" || to.presence !== "idle") return null;
  if (to.work === "in_progress") return isTold("member_idle") ? null : `${is.name} idles and nobody was told`;
  const { type } = record.input.event;
  const isFailed = type === "run.failed" || type === "run.lost" || type === "member.interrupt";
  const isFollowUp = from.work === to.work && isFailed;
  return isFollowUp && !isTold("follow_up_failed") ? `a follow-up of ${is.name} failed in silence` : null;
}

/** A hosted lead has the notice unread, or in the status that was answered. */
function silenceAbout({ after, applied }: JudgedStep, name: string): string | null {
  if (!applied.steps.some(({ event }) => event.type === "notice.member_failed")) return `${name} failed in silence`;
  if (after.config?.lead !== "hosted") return null;
  const unread = after.lead.unread.some((each) => each.notice === "member_failed" && each.about === name && each.wakes);
  const shown = applied.replies.some(({ reply }) => "ok" in reply && reply.ok.type === "status");
  return unread || shown ? null : `the lead was not told that ${name} failed`;
}

/** G1 to G5. */
export const memberGuarantees: readonly Guarantee[] = [upstreams, currentRun, finality, mail, failures];
