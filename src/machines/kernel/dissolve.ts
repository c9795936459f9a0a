import type { Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import type { TeamOutcome } from "../../protocol/reply.ts";
import type { Effect } from "../transition-once.ts";
import { cancelOpenTasks } from "./board.ts";
import type { Draft } from "./draft.ts";
import { notifyLead } from "./mail.ts";
import { farewellOf } from "./standing.ts";
import type { CommandRef, MemberRecord } from "./state.ts";

/** Dissolving: always ends, within its grace period, whatever members and tools do; asking again changes nothing. */

/** The outcome that a dissolve accepted now would have. */
function outcomeOf(draft: Draft): TeamOutcome {
  const state = draft.facts.team(draft.team.snapshot);
  if (state === "finished") return "completed";
  return state === "stalled" ? "failed" : "dissolved";
}

/** Accepts a dissolve; the reply comes at `team.dissolved`. */
export function dissolveTeam(
  draft: Draft,
  dissolve: InputOf<"team.dissolve">,
  command: CommandRef,
): readonly Refusal[] | "later" | "over" {
  const { team } = draft.state;
  if (team === null) return [draft.refusal("no_team", {})];
  const state = draft.facts.team(team.snapshot);
  if (state === "completed" || state === "failed" || state === "dissolved") return "over";
  const waiters = [...team.dissolveWaiters, command];
  if (state === "dissolving") {
    draft.changeTeam({ dissolveWaiters: waiters });
    if (dissolve.mode === "abort") postDissolve(draft, dissolve.mode);
    return "later";
  }
  const ms = dissolve.graceMs ?? draft.state.config?.limits.graceMs ?? 0;
  draft.changeTeam({
    dissolveWaiters: waiters,
    grace: { generation: draft.record.seq, armedAt: draft.input.at, ms },
  });
  postDissolve(draft, dissolve.mode);
  return "later";
}

function postDissolve(draft: Draft, mode: "graceful" | "abort"): void {
  const asks = draft.team.counts.running > 0;
  draft.postTeam(draft.input.from, { type: "team.dissolve", mode, outcome: outcomeOf(draft), asks });
}

const resting = new Set(["parked", "idle"]);

/** Posts an event to every member that `picks` picks at the moment of the post. */
function postToMembers(
  draft: Draft,
  typeFor: (member: MemberRecord) => "member.shutdown" | "shutdown.request",
  picks: (presence: string) => boolean,
): void {
  const { order, token: team } = draft.team;
  for (const token of order) {
    if (!picks(draft.memberFacts(token).presence)) continue;
    draft.postMember(token, team, (member) =>
      picks(draft.facts.member(member.snapshot).presence) ? { type: typeFor(member) } : null,
    );
  }
}

const shutdown = (): "member.shutdown" => "member.shutdown";

const cancelledMembers = (draft: Draft): string[] =>
  draft.team.order.filter((token) => draft.memberFacts(token).work === "cancelled");

/** What follows from the team machine's effects. */
export const dissolveEffects: Record<Effect, (draft: Draft) => void> = {
  announceStalled(draft) {
    draft.notable = true;
    notifyLead(draft, "team_stalled", {});
  },
  announceFinished(draft) {
    draft.notable = true;
    notifyLead(draft, "team_finished", {});
  },
  announceDissolving(draft) {
    draft.changeTeam({ cancelledBefore: cancelledMembers(draft) });
    draft.postLead(draft.team.token, { type: "team.dissolving" });
    const byUser = draft.input.from === "user" && draft.state.config?.lead === "hosted";
    if (byUser) notifyLead(draft, "team_dissolved", { wakes: false });
  },
  announceDissolved(draft) {
    const { team } = draft;
    cancelOpenTasks(draft);
    const outcome = team.snapshot.context.outcome;
    const before = new Set(team.cancelledBefore);
    const cancelled = cancelledMembers(draft)
      .filter((token) => !before.has(token))
      .map((token) => draft.mustMember(token).name);
    for (const waiter of team.dissolveWaiters) draft.reply(waiter, { ok: { type: "dissolved", outcome, cancelled } });
    draft.changeTeam({ dissolveWaiters: [], cancelledBefore: [], cancelledByDissolve: cancelled, grace: null });
    const { name, createdAt, counts } = team;
    const past = { name, outcome, members: counts.total, createdAt, dissolvedAt: draft.input.at };
    draft.set({ pastTeams: [...draft.state.pastTeams, past].slice(-pastTeamsMax) });
    draft.notable = true;
    draft.postLead(team.token, { type: "team.dissolved" });
  },
  shutDownResting: (draft) => postToMembers(draft, shutdown, (presence) => resting.has(presence)),
  askRunning: (draft) => postToMembers(draft, farewellOf, (presence) => presence === "running"),
  forceAll: (draft) => postToMembers(draft, shutdown, (presence) => presence !== "shutdown"),
};

/** Dissolved teams whose names and outcomes a session still tells. */
const pastTeamsMax = 100;
