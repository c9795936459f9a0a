import type { SessionState } from "../../machines/index.ts";
import { isOver, teamState, type JudgedState, type JudgedStep } from "./guarantee.ts";

/** A session has the owner that claimed it, and tells what changed in it: what is wrong with a step, or null. */
export function sessionProblem(step: JudgedStep): string | null {
  const { before, after, record, applied } = step;
  const is = ownerText(after);
  const isPassed = applied.verdict === "handled" || applied.verdict === "ignored";
  const should = isPassed ? ownerAfter(record.input.event.type, before) : ownerText(before);
  if (is !== should) return `the session is ${is} after ${record.input.event.type}, should be ${should}`;
  const epoch = epochAfter(step, isPassed);
  if (after.epoch !== epoch) return `the epoch is ${after.epoch} after ${record.input.event.type}, should be ${epoch}`;
  for (const { event, actor, verdict } of applied.steps)
    if (verdict === "ignored" && !isIdle(after, actor, event.type)) return `${actor} has no ear for ${event.type}`;
  return null;
}

const ownerText = ({ snapshot: { value } }: SessionState): string => (typeof value === "string" ? value : value.opened);

function ownerAfter(type: string, before: SessionState): string {
  if (type === "session.opened" || type === "owner.released") return "unowned";
  if (type === "owner.claimed") return "owned";
  return type === "session.closed" ? "closed" : ownerText(before);
}

/** An owner comes after the one before. */
function epochAfter({ before, record: { input } }: JudgedStep, isPassed: boolean): number {
  if (!isPassed || input.event.type !== "owner.claimed") return before.epoch;
  return Math.max(input.event.epoch, before.epoch + 1);
}

/** What a lead's turn waits for, and what ends its waiting. */
const ofTurns: ReadonlySet<string> = new Set(["poll.opened", "poll.closed", "question.asked", "question.answered"]);

/** What may be said to an actor that has nothing to do with it any more: it is said to whom it may concern. */
function isIdle({ team, config }: SessionState, actor: string, type: string): boolean {
  // A lead that nobody hosts has no turn to go on with: what it waits for is its own loop's business.
  if (actor === "lead" && config?.lead !== "hosted" && ofTurns.has(type)) return true;
  if (actor === "lead") return type === "owner.changed" || type === "permission.closed";
  return actor === "session" ? type === "owner.released" : actor === team?.token && type === "grace.expired";
}

/** A team stands as its members do, and says so when that changes: what is wrong with a step, or null. */
export function standingProblem({ before, after, applied, record, facts }: JudgedStep): string | null {
  if (after.version < before.version || after.notableVersion > after.version) return "the version went back";
  const isDone = applied.verdict === "handled";
  const [was, is] = [teamState({ session: before, facts }), teamState({ session: after, facts })];
  const isActive = is === "running" || is === "stalled" || is === "finished";
  if (isDone && record.input.event.type === "team.create") return isActive ? null : `a team was created and is ${is}`;
  if (before.team === null || before.team.token !== after.team?.token || was === is) return null;
  if (after.version === before.version) return `the team became ${is} and its version stayed`;
  const isTold = applied.steps.some(({ event }) => event.type === `notice.team_${is}`);
  return (is === "stalled" || is === "finished") && !isTold ? `the team ${is} and nobody was told` : null;
}

/** A dissolve begins when it is asked for, and with the outcome that the team had then: what is wrong, or null. */
export function dissolveProblem(step: JudgedStep): string | null {
  const { before, after, record, applied, facts } = step;
  const { event } = record.input;
  if (before.team === null || before.team.token !== after.team?.token) return null;
  const [was, is] = [teamState({ session: before, facts }), teamState({ session: after, facts })];
  const isAsked = applied.verdict === "handled" && (event.type === "team.dissolve" || event.type === "session.closed");
  if (isOver(was)) return null;
  if (!isAsked)
    return was !== "dissolving" && (is === "dissolving" || isOver(is)) ? `the team is ${is} after ${event.type}` : null;
  const nobodyRuns = was !== "dissolving" && !isAnybodyAsked(step);
  const isForced = event.type !== "team.dissolve" || event.mode === "abort" || nobodyRuns;
  if (isForced && !isOver(is)) return `the team is ${is} after ${event.type}`;
  if (was === "dissolving") return null;
  if (!isForced && isOver(is)) return "somebody was running, and was not asked to shut down";
  if (is !== "dissolving" && !isOver(is)) return `the team is ${is} after ${event.type}`;
  const outcome = was === "finished" ? "completed" : was === "stalled" ? "failed" : "dissolved";
  const { context } = after.team.snapshot;
  const due = event.type === "session.closed" ? "dissolved" : outcome;
  return context.outcome === due ? null : `a team that was ${was} ends ${context.outcome}, should be ${due}`;
}

/** Whether somebody is there who is asked: an invited agent is let go of. */
function isAnybodyAsked({ before, facts }: JudgedStep): boolean {
  for (const { snapshot, invited } of before.members.values()) {
    const { presence } = facts.member(snapshot);
    if (invited === null && (presence === "running" || presence === "draining")) return true;
  }
  return false;
}

/** Whoever is there while a team goes was asked: the others are gone. What is wrong with a state, or null. */
export function askingProblem({ session, facts }: JudgedState): string | null {
  for (const { name, snapshot } of session.members.values()) {
    const { presence } = facts.member(snapshot);
    if (presence === "shutdown" || presence === "draining" || snapshot.context.refused) continue;
    return `the team is dissolving and ${name} is ${presence}`;
  }
  return null;
}
