import type { LeadFacts, LeadTurn, SessionState } from "../../machines/index.ts";
import { lossesMax } from "../../machines/member-events.ts";
import type { InputEvent } from "../../protocol/input.ts";
import { canonicalRecipient, LEAD } from "../../protocol/names.ts";
import { isOver, teamState, type JudgedState, type JudgedStep } from "./guarantee.ts";

/** The lead shows what it does, and sees the team as it stands: what is wrong with a state, or null. */
export function leadStateProblem({ session, facts }: JudgedState): string | null {
  const { lead, requests, config, team } = session;
  const { turn, live } = facts.lead(lead.snapshot);
  const { value } = lead.snapshot;
  const state = teamState({ session, facts });
  const stands = state === "dissolving" || state === "none" ? state : isOver(state) ? "dissolved" : "active";
  if (team !== null && value.team !== stands) return `the team is ${stands} and its lead sees it ${value.team}`;
  const asks = requests.length > 0 ? "asking" : "none";
  if (value.permissions !== asks) return `${requests.length} requests wait and the lead sees ${value.permissions}`;
  if (session.snapshot.value === "closed")
    return turn === "shutdown" ? null : `the session is closed and its lead is ${turn}`;
  if (live) return config?.lead === "hosted" ? null : "a lead that nobody hosts has a run";
  if (lead.run.calls.length + lead.run.remembered.length > 0) return "an ended run of the lead left something open";
  const rests =
    config?.lead === "hosted" && (stands === "active" || stands === "dissolving") ? "ended" : "waiting_user";
  return turn === rests ? null : `the lead is ${turn}, should be ${rests}`;
}

/** What a lead's live turn must be seen to do, from what is open in it. */
function restOf({ lead, polls }: SessionState): LeadTurn {
  if (lead.questions.length + lead.run.asks.length > 0) return "asking_user";
  if (polls.length > 0) return "awaiting_team";
  if (lead.run.externals.length > 0) return "waiting_external";
  return lead.run.calls.length > 0 ? "tool" : "thinking";
}

/** Reports after which a lead's run is over; if one is live, it is another one. */
const ends: ReadonlySet<string> = new Set(["turn.ended", "run.completed", "run.failed", "run.lost"]);
/** Reports that leave a turn at what it does; nobody asks a lead to shut down, whatever its run replies. */
const quiet: ReadonlySet<string> = new Set([
  "run.injected",
  "run.answered",
  "step.ended",
  "external.asked",
  "shutdown.replied",
]);

/** The lead's runs are numbered and counted, and its turn goes on where it should: what is wrong with a step, or null. */
export function leadStepProblem({ before, after, record, applied, facts }: JudgedStep): string | null {
  if (before.lead === after.lead) return null;
  const { event, actor } = record.input;
  const isDone = applied.verdict === "handled";
  const report = isDone && actor === "lead" && "run" in event && event.type !== "run.adopted" ? event.type : null;
  const [from, to] = [facts.lead(before.lead.snapshot), facts.lead(after.lead.snapshot)];
  const [was, is] = [before.lead.snapshot.context, after.lead.snapshot.context];
  const isEnded = report !== null && ends.has(report);
  const isNew = to.live && (!from.live || isEnded);
  if (is.run !== was.run + (isNew ? 1 : 0)) return `the lead's run ${was.run} became ${is.run}`;
  if (isNew && after.lead.run.k > 0) return `a new run of the lead begins with ${after.lead.run.k} reports`;
  const isLoss = report === "run.lost" && was.losses + 1 < lossesMax;
  const isPrompt = event.type === "lead.prompt" || isWakeOfLead(event);
  if (isDone && isPrompt && !to.live) return "the user spoke to the lead and it does not answer";
  if (report === "run.lost" && to.live !== (isLoss || hasNews(after))) return `the lead is ${to.turn} after a lost run`;
  const losses = report === "step.ended" || (report === "run.lost" && !isLoss) ? 0 : was.losses + (isLoss ? 1 : 0);
  if (is.losses !== losses) return `the lead lost ${is.losses} runs in a row, should be ${losses}`;
  if (isEnded && !isLoss) return endProblem(before, after, report);
  return turnProblem({ before, after, from, to, report, isClaim: isDone && event.type === "owner.claimed" });
}

/** Whether something from outside was put into the lead's mailbox. */
const isWakeOfLead = (event: InputEvent): boolean =>
  event.type === "message.send" &&
  (event.kind === "schedule" || event.kind === "tool_result") &&
  canonicalRecipient(event.to) === LEAD;

/** The end of a turn looks for news that the lead has not seen: what is wrong with a step, or null. */
export function unseenProblem({ before, after, record, applied, facts }: JudgedStep): string | null {
  const { event, actor } = record.input;
  const isTurnOver = event.type === "turn.ended" || event.type === "run.completed";
  if (actor !== "lead" || !isTurnOver || applied.verdict !== "handled" || !hasNews(before)) return null;
  return facts.lead(after.lead.snapshot).live ? null : "the lead's turn ended with news that it has not seen";
}

const hasNews = ({ lead }: SessionState): boolean => lead.unread.some((mail) => mail.wakes);

/** How a turn ended is told, to whoever looks at the session. */
function endProblem(before: SessionState, after: SessionState, report: string): string | null {
  const failed = report === "run.failed" || report === "run.lost";
  if (failed !== (after.lead.failure !== null))
    return `after ${report} the lead's turn counts as ${failed ? "well" : "failed"}`;
  return after.version > before.version ? null : "the lead's turn ended and nobody was told";
}

interface TurnStep {
  readonly before: SessionState;
  readonly after: SessionState;
  readonly from: LeadFacts;
  readonly to: LeadFacts;
  readonly report: string | null;
  readonly isClaim: boolean;
}

function turnProblem({ before, after, from, to, report, isClaim }: TurnStep): string | null {
  if (!to.live) return null;
  if (report === "run.erred") return to.turn === "backing_off" ? null : `the lead is ${to.turn}, should be backing_off`;
  if (isClaim || report === "run.lost")
    return to.turn === "thinking" ? null : `the lead is ${to.turn}, should be thinking`;
  const goesOn = from.turn === to.turn && (report === null || quiet.has(report));
  const [was, is] = [before.lead, after.lead];
  const isSame = before.polls === after.polls && was.questions === is.questions && was.run.asks === is.run.asks;
  if (goesOn && isSame && was.run.externals === is.run.externals) return null;
  const rest = restOf(after);
  return to.turn === rest ? null : `the lead is ${to.turn}, should be ${rest}`;
}
