import type { TeamVerdict } from "../team-machine.ts";
import type { Draft } from "./draft.ts";
import { answerPoll } from "./requests.ts";
import type { TeamCounts } from "./state.ts";
import { offerTasks } from "./task-offers.ts";

/**
 * What must be judged over several actors is judged here, once per input, when no post is left: how the team stands,
 * whether a dissolve is through, whose poll is due, and whether the lead has something to wake for.
 */

/** How a team with these counts stands. With tasks that are not done, whoever runs may still do them. */
function verdictOf(counts: TeamCounts, unfinished: number): TeamVerdict {
  if (unfinished > 0) return counts.running > 0 ? "running" : "stalled";
  if (counts.completed > 0 && counts.completed + counts.cancelled === counts.total) return "finished";
  return counts.working > 0 ? "running" : "stalled";
}

/** Settles the session after an input; the last thing before it is committed. */
export function settle(draft: Draft): void {
  draft.drain();
  if (draft.boardDue) offerTasks(draft);
  judgeTeam(draft);
  advanceVersion(draft);
  answerDuePolls(draft);
  wakeLead(draft);
  draft.drain();
}

function judgeTeam(draft: Draft): void {
  const { team } = draft.state;
  if (team === null) return;
  const state = draft.facts.team(team.snapshot);
  if (state === "dissolving") {
    if (team.counts.shutdown < team.counts.total) return;
    draft.postTeam(team.token, { type: "team.emptied" });
  } else if (state === "running" || state === "stalled" || state === "finished") {
    const verdict = verdictOf(team.counts, team.board?.unfinished ?? 0);
    if (verdict === state) return;
    draft.postTeam(team.token, { type: "team.judged", verdict });
  } else return;
  draft.drain();
}

function advanceVersion(draft: Draft): void {
  if (!draft.visible && !draft.notable) return;
  const version = draft.state.version + 1;
  draft.set(draft.notable ? { version, notableVersion: version } : { version });
}

function answerDuePolls(draft: Draft): void {
  for (const poll of draft.state.polls) {
    if (draft.state.notableVersion > poll.since) answerPoll(draft, poll, true);
  }
  draft.drain();
}

/** One wake for everything that is unseen. */
function wakeLead(draft: Draft): void {
  const { lead } = draft;
  if (draft.facts.lead(lead.snapshot).turn !== "ended") return;
  if (lead.unread.some((mail) => mail.wakes)) draft.postLead("system", { type: "notice.arrived" });
}
