import type { CommandRef, DueReply, SessionState } from "../../machines/index.ts";
import type { ReplyValue } from "../../protocol/reply.ts";
import { collisionKey } from "../../protocol/names.ts";
import { isOver, teamState, type JudgedStep } from "./guarantee.ts";

/** An answer says what was decided, to who asked, as a part of G10: what is wrong with a step, or null. */
export function answerProblem(step: JudgedStep): string | null {
  const named = namedProblem(step);
  if (named !== null) return named;
  // A repetition is answered as it was the first time.
  if (step.applied.verdict === "stale") return null;
  for (const { to, reply } of step.applied.replies) {
    const problem = "ok" in reply ? valueProblem(step, to, reply.ok) : null;
    if (problem !== null) return problem;
  }
  return null;
}

const isTo =
  (to: CommandRef) =>
  ({ command }: { readonly command: CommandRef }): boolean =>
    command.from === to.from && command.id === to.id;

/** An answer ends what it names. */
function namedProblem({ before, after, record, applied }: JudgedStep): string | null {
  const { event } = record.input;
  if (applied.verdict !== "handled") return null;
  const waits = (session: SessionState): boolean => {
    if (event.type === "permission.answer") return session.requests.some(({ id }) => id === event.request);
    if (event.type === "question.answer") return session.lead.questions.some(({ call }) => call === event.call);
    if (event.type !== "plan.answer") return false;
    const key = collisionKey(event.member);
    return [...session.members.values()].some(({ name, run }) => collisionKey(name) === key && run.planCall !== null);
  };
  const isAnswer = ["permission.answer", "question.answer", "plan.answer"].includes(event.type);
  if (isAnswer && !waits(before)) return `${event.type} was taken for what nobody asks`;
  return isAnswer && waits(after) ? `${event.type} answered something else` : null;
}

function valueProblem(step: JudgedStep, to: DueReply["to"], value: ReplyValue): string | null {
  const { before, after, record } = step;
  const { event } = record.input;
  switch (value.type) {
    case "permission": {
      const request = before.requests.find(isTo(to));
      const verdict = request === undefined ? "cancelled" : verdictOf(step, request.id);
      return value.verdict === verdict ? null : `a request is told as ${value.verdict}, should be ${verdict}`;
    }
    case "plan": {
      const isApproved = event.type === "plan.answer" && event.approve;
      return value.approved === isApproved ? null : `a plan is told as ${value.approved ? "" : "not "}approved`;
    }
    case "status": {
      const poll = before.polls.find(isTo(to));
      const isNews = poll !== undefined && after.notableVersion > poll.since;
      if (poll !== undefined && value.changed && !isNews) return "a poll was answered with news that are none";
      return value.timedOut && value.changed ? "a poll timed out on news" : null;
    }
    case "dissolved":
      return dissolvedProblem(step, value);
    default:
      return null;
  }
}

/** What an input means for a request that it ends. */
function verdictOf({ record }: JudgedStep, request: string): string {
  const { event } = record.input;
  if (event.type === "permission.answer" && event.request === request) return event.approve ? "approved" : "denied";
  return event.type === "timer.due" && event.key === `permission:${request}` ? "timed_out" : "cancelled";
}

/** Whoever asked for the end hears how the team ended, and whose work that has cancelled. */
function dissolvedProblem(step: JudgedStep, value: Extract<ReplyValue, { type: "dissolved" }>): string | null {
  const { before, after, facts } = step;
  const state = teamState({ session: after, facts });
  if (!isOver(state)) return `a dissolve is told as done while the team is ${state}`;
  // Whether it is what it should be is G7's business.
  const outcome = after.team?.snapshot.context.outcome;
  if (value.outcome !== outcome) return `the team ends ${outcome ?? ""}, and is told as ${value.outcome}`;
  const was = teamState({ session: before, facts });
  // Later it is what was told first; before, it is seen in the states.
  if (isOver(was) || after.team === null) return null;
  const isGoing = was === "dissolving";
  const earlier = isGoing ? (before.team?.cancelledBefore ?? []) : cancelledIn(step, before);
  const cancelled = cancelledIn(step, after).filter((token) => !earlier.includes(token));
  const names = cancelled.map((token) => after.members.get(token)?.name ?? token).toSorted();
  return value.cancelled.toSorted().join() === names.join()
    ? null
    : `${value.cancelled.join(", ") || "nobody"} is told as cancelled, should be ${names.join(", ") || "nobody"}`;
}

const cancelledIn = ({ facts }: JudgedStep, { members }: SessionState): string[] =>
  [...members.values()].filter(({ snapshot }) => facts.member(snapshot).work === "cancelled").map(({ token }) => token);
