import { refusal, type Refusal } from "../../errors/index.ts";
import { collisionKey, normalizeName } from "../../protocol/names.ts";
import type { ReplanResult } from "../../protocol/reply.ts";
import type { ReplanSpec } from "../../protocol/spec.ts";
import { BoardSpec } from "../../protocol/task.ts";
import { newMember } from "./create.ts";
import type { Draft } from "./draft.ts";
import { Faults } from "./faults.ts";
import { notifyLead } from "./mail.ts";
import { emptyBoard, placeTasks, seedTasks } from "./new-tasks.ts";
import { bringingOf, workOutReplan, type ReplanChange } from "./replan-check.ts";
import { graphOf, holdsUp, recountUnmet, startIfReady } from "./schedule.ts";
import { hasMail } from "./shutdown.ts";
import { farewellOf, isDissolving } from "./standing.ts";
import { handOver } from "./task-owners.ts";

/** Changes the running team in one transition, or refuses with nothing changed. */
export function replanTeam(draft: Draft, spec: ReplanSpec, byModel: boolean): readonly Refusal[] | ReplanResult {
  const { team } = draft.state;
  if (team === null) return [refusal("no_team", {})];
  if (isDissolving(draft)) return [refusal("team_dissolved", { team: team.name })];
  const faults = new Faults();
  const change = workOutReplan(draft, spec, byModel, faults);
  if (faults.list.length > 0) return faults.list;
  return carryOutPlan(draft, change);
}

/** Carries a change out that was found good. */
export function carryOutPlan(draft: Draft, change: ReplanChange): ReplanResult {
  const revision = draft.state.revision + 1;
  draft.set({ revision });
  addMembers(draft, change, revision);
  rewireMembers(draft, change, revision);
  for (const [old, by] of change.replaced) {
    draft.changeMember(old, { replacedBy: draft.mustMember(by).name });
    handOver(draft, old, by);
  }
  bringTasks(draft, change);
  const { token: team } = draft.team;
  for (const { token } of change.cancel) {
    draft.changeMember(token, { revision });
    draft.postMember(token, team, (member) => ({ type: "member.cancel", mail: hasMail(member.unread) }));
  }
  retryMembers(draft, change.retry, revision);
  for (const member of change.shutdown) draft.postMember(member.token, team, { type: farewellOf(member) });
  draft.postTeam(draft.input.from, { type: "team.replanned" });
  draft.drain();
  for (const token of draft.team.order) recountUnmet(draft, token);
  draft.team.order.forEach((token, index) => {
    if (draft.roster.unmet(index) === 0) startIfReady(draft, token);
  });
  draft.drain();
  draft.visible = true;
  if (draft.input.from === "user" && draft.state.config?.lead === "hosted") notifyLead(draft, "user_planned", {});
  return resultOf(draft, change, revision);
}

function addMembers(draft: Draft, { add, dependsOn }: ReplanChange, revision: number): void {
  const { team } = draft;
  const byKey = new Map(team.byKey);
  const order = [...team.order];
  for (const { token, spec, invited } of add) {
    byKey.set(collisionKey(normalizeName(spec.name)), token);
    const place = { token, index: order.length, revision, dependsOn: dependsOn.get(token) ?? [], downstream: [] };
    draft.putMember(newMember(draft, spec, place, invited));
    order.push(token);
  }
  draft.roster.grow(order.length);
  draft.changeTeam({ order, byKey, counts: { ...team.counts, total: order.length } });
}

/** New members bring the seed tasks of their type; whoever takes a place takes over the tasks that are there. */
function bringTasks(draft: Draft, { add }: ReplanChange): void {
  const { config } = draft.state;
  const seeds = config === null ? [] : seedTasks(bringingOf(add), config, draft.team.board?.tasks.length ?? 0);
  if (seeds.length === 0) return;
  if (draft.team.board === null) draft.changeTeam({ board: emptyBoard(BoardSpec.parse({})) });
  placeTasks(draft, seeds);
}

/** Sets new dependencies and keeps both directions of the graph in step; every list is rebuilt once. */
function rewireMembers(draft: Draft, { dependsOn, add }: ReplanChange, revision: number): void {
  const added = new Set(add.map((each) => each.token));
  const downstream = new Map<string, Set<string>>();
  const downstreamOf = (token: string): Set<string> => {
    let tokens = downstream.get(token);
    if (tokens === undefined) downstream.set(token, (tokens = new Set(draft.mustMember(token).downstream)));
    return tokens;
  };
  for (const [token, upstreams] of dependsOn) {
    const before = added.has(token) ? [] : draft.mustMember(token).dependsOn;
    for (const old of before) downstreamOf(old).delete(token);
    for (const next of upstreams) downstreamOf(next).add(token);
    draft.changeMember(token, { dependsOn: upstreams, revision });
  }
  for (const [token, tokens] of downstream) draft.changeMember(token, { downstream: [...tokens] });
  const { order } = draft.team;
  draft.changeTeam({ graph: graphOf(order.map((token) => draft.mustMember(token))) });
}

/** Starts new attempts; a member whose upstream is tried again in the same plan waits for it. */
function retryMembers(draft: Draft, retry: ReplanChange["retry"], revision: number): void {
  const retried = new Set(retry.map(({ member }) => member.token));
  for (const { member, prompt } of retry) {
    draft.changeMember(member.token, { revision, prompt: prompt ?? member.prompt, reason: null });
    draft.postMember(member.token, draft.team.token, ({ dependsOn }) => ({
      type: "member.retry",
      ready: dependsOn.every((upstream) => !retried.has(upstream) && !holdsUp(draft, upstream)),
    }));
  }
}

function resultOf(draft: Draft, change: ReplanChange, revision: number): ReplanResult {
  const stranded = strandedMembers(draft);
  const blocked = draft.team.order.filter((token) => draft.memberFacts(token).work === "blocked");
  const names = (tokens: readonly string[]) => tokens.map((token) => draft.mustMember(token).name);
  return {
    revision,
    cancelled: change.cancel.map((member) => member.name),
    retried: change.retry.map(({ member }) => member.name),
    added: names(change.add.map((each) => each.token)),
    stillBlocked: names(blocked),
    stranded: names(blocked.filter((token) => stranded.has(token))),
  };
}

/** Blocked members that can never start as things stand: somebody upstream was cancelled or failed. */
function strandedMembers(draft: Draft): ReadonlySet<string> {
  const isOver = (token: string) => ["cancelled", "failed"].includes(draft.memberFacts(token).work);
  const queue = draft.team.order.filter(isOver);
  const stranded = new Set<string>();
  // The queue grows while it is walked.
  for (const done of queue) {
    for (const token of draft.mustMember(done).downstream) {
      if (stranded.has(token) || draft.memberFacts(token).work !== "blocked") continue;
      stranded.add(token);
      queue.push(token);
    }
  }
  return stranded;
}
