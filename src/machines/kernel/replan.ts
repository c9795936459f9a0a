import { refusal, type Refusal } from "../../errors/index.ts";
import { collisionKey, normalizeName } from "../../protocol/names.ts";
import type { ReplanResult } from "../../protocol/reply.ts";
import type { ReplanSpec } from "../../protocol/spec.ts";
import { memberToken } from "../../protocol/subject.ts";
import { findCycle } from "../dag.ts";
import { newMember } from "./create.ts";
import type { Draft } from "./draft.ts";
import { isDissolving, notifyLead } from "./mail.ts";
import { checkMember, NameTable, unknownDependency, unknownMember } from "./plan-check.ts";
import { findMember, memberNames } from "./roster.ts";
import { recountUnmet, startIfReady } from "./schedule.ts";
import type { MemberRecord } from "./state.ts";

/** A replan worked out and found good, by token, before anything is changed. */
interface Change {
  readonly cancel: readonly MemberRecord[];
  readonly retry: readonly { readonly member: MemberRecord; readonly prompt: string | null }[];
  readonly shutdown: readonly MemberRecord[];
  readonly add: readonly { readonly token: string; readonly spec: ReplanSpec["add"][number] }[];
  /** Old token to the token that takes its place. */
  readonly replaced: ReadonlyMap<string, string>;
  /** New dependencies of everybody whose dependencies change, added members included. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
}

/** Changes the running team in one transition, or refuses with nothing changed. */
export function replanTeam(draft: Draft, spec: ReplanSpec): readonly Refusal[] | ReplanResult {
  const { team } = draft.state;
  if (team === null) return [refusal("no_team", {})];
  if (isDissolving(draft)) return [refusal("team_dissolved", { team: team.name })];
  const problems: Refusal[] = [];
  const change = workOut(draft, spec, problems);
  if (problems.length > 0) return problems;
  return carryOut(draft, change);
}

function workOut(draft: Draft, spec: ReplanSpec, problems: Refusal[]): Change {
  const named = (name: string): MemberRecord[] => {
    const member = findMember(draft, name);
    if (member === undefined) problems.push(unknownMember(name, memberNames(draft)));
    return member === undefined ? [] : [member];
  };
  const cancel = new Set(spec.cancel.flatMap(named));
  for (const member of cancel) checkCancel(draft, member, spec, problems);
  const retry = spec.retry.flatMap(({ name, prompt }) =>
    named(name).map((member) => ({ member, prompt: prompt ?? null })),
  );
  for (const { member } of retry) checkRetry(draft, member, problems);
  const shutdown = spec.shutdown.flatMap(named);
  for (const member of shutdown) checkShutdown(draft, member, problems);
  const rewired = spec.rewire.flatMap((each) =>
    named(each.name).map((member) => ({ member, dependsOn: each.dependsOn })),
  );
  for (const { member } of rewired) {
    const { work } = draft.memberFacts(member.token);
    if (work !== "blocked") problems.push(refusal("not_rewirable", { name: member.name, status: work }));
  }
  const { add, replaced, table } = workOutAdded(draft, spec, problems);
  const dependsOn = workOutDependencies(draft, { spec, add, rewired, replaced, table }, problems);
  for (const old of replaced.keys()) {
    const member = draft.mustMember(old);
    if (draft.memberFacts(old).work !== "cancelled") cancel.add(member);
  }
  checkStale(
    draft,
    spec,
    [...cancel, ...retry.map((each) => each.member), ...shutdown, ...rewired.map((each) => each.member)],
    problems,
  );
  if (problems.length === 0) checkCycle(draft, add, dependsOn, replaced, problems);
  return { cancel: [...cancel], retry, shutdown, add, replaced, dependsOn };
}

function checkCancel(draft: Draft, member: MemberRecord, spec: ReplanSpec, problems: Refusal[]): void {
  const { work } = draft.memberFacts(member.token);
  const replacedToo = spec.add.some(
    (each) => each.replaces !== undefined && findMember(draft, each.replaces) === member,
  );
  if (work === "completed" || (work === "cancelled" && !replacedToo)) {
    problems.push(refusal("not_cancellable", { name: member.name, status: work }));
  }
}

function checkRetry(draft: Draft, member: MemberRecord, problems: Refusal[]): void {
  const { work, presence } = draft.memberFacts(member.token);
  const open = presence !== "shutdown" && presence !== "draining";
  const may = open && (work === "failed" || (work === "completed" && member.lifetime === "persistent"));
  if (!may)
    problems.push(refusal("not_retryable", { name: member.name, status: presence === "shutdown" ? presence : work }));
}

function checkShutdown(draft: Draft, member: MemberRecord, problems: Refusal[]): void {
  const { presence } = draft.memberFacts(member.token);
  if (presence === "shutdown" || presence === "draining" || presence === "parked") {
    problems.push(refusal("not_cancellable", { name: member.name, status: presence }));
  }
}

/** A plan made on an old revision is refused when it names somebody that a newer plan changed. */
function checkStale(draft: Draft, spec: ReplanSpec, touched: readonly MemberRecord[], problems: Refusal[]): void {
  const { revision } = spec;
  if (revision === undefined) return;
  const changed = touched.filter((member) => member.revision > revision).map((member) => member.name);
  if (changed.length > 0 || revision > draft.state.revision) {
    problems.push(
      refusal("stale_revision", { revision, current: draft.state.revision, members: [...new Set(changed)] }),
    );
  }
}

function workOutAdded(draft: Draft, spec: ReplanSpec, problems: Refusal[]) {
  const { team } = draft;
  const config = draft.state.config;
  const table = new NameTable<string>();
  for (const token of team.order) table.add(draft.mustMember(token).name, token);
  const replaced = new Map<string, string>();
  const count = team.order.length + spec.add.length;
  if (config !== null && count > config.limits.membersMax) {
    problems.push(refusal("too_many_members", { count, membersMax: config.limits.membersMax }));
  }
  const add = spec.add.map((each) => {
    const token = memberToken(normalizeName(each.name), team.k);
    if (config !== null) problems.push(...checkMember(each, config));
    const other = table.add(normalizeName(each.name), token);
    if (other !== null) problems.push(refusal("name_collision", { name: each.name, other }));
    if (each.replaces !== undefined) checkReplaced(draft, each.replaces, token, replaced, problems);
    return { token, spec: each };
  });
  return { add, replaced, table };
}

function checkReplaced(
  draft: Draft,
  name: string,
  by: string,
  replaced: Map<string, string>,
  problems: Refusal[],
): void {
  const old = findMember(draft, name);
  if (old === undefined) {
    problems.push(unknownMember(name, memberNames(draft)));
    return;
  }
  const { work } = draft.memberFacts(old.token);
  if (work === "completed") problems.push(refusal("not_cancellable", { name: old.name, status: work }));
  // Two members can't both take one place.
  if (replaced.has(old.token)) problems.push(refusal("name_collision", { name, other: name }));
  replaced.set(old.token, by);
}

function workOutDependencies(
  draft: Draft,
  plan: {
    readonly spec: ReplanSpec;
    readonly add: Change["add"];
    readonly rewired: readonly { readonly member: MemberRecord; readonly dependsOn: readonly string[] }[];
    readonly replaced: ReadonlyMap<string, string>;
    readonly table: NameTable<string>;
  },
  problems: Refusal[],
): Map<string, readonly string[]> {
  const { add, rewired, replaced, table } = plan;
  const resolve = (name: string, names: readonly string[]): string[] => [
    ...new Set(
      names.flatMap((dependency) => {
        const token = table.get(dependency);
        if (token === undefined) problems.push(unknownDependency(name, dependency, table.names()));
        return token === undefined ? [] : [token];
      }),
    ),
  ];
  const substitute = (tokens: readonly string[]) => [...new Set(tokens.map((token) => replaced.get(token) ?? token))];
  const dependsOn = new Map<string, readonly string[]>();
  for (const [old] of replaced) {
    for (const token of draft.mustMember(old).downstream)
      dependsOn.set(token, substitute(draft.mustMember(token).dependsOn));
  }
  for (const { member, dependsOn: names } of rewired)
    dependsOn.set(member.token, substitute(resolve(member.name, names)));
  for (const { token, spec } of add) {
    const old = spec.replaces === undefined ? undefined : findMember(draft, spec.replaces);
    const inherited = old === undefined ? [] : old.dependsOn;
    dependsOn.set(token, spec.dependsOn === undefined ? substitute(inherited) : resolve(spec.name, spec.dependsOn));
  }
  return dependsOn;
}

function checkCycle(
  draft: Draft,
  add: Change["add"],
  dependsOn: ReadonlyMap<string, readonly string[]>,
  replaced: ReadonlyMap<string, string>,
  problems: Refusal[],
): void {
  // Whoever was replaced is out of the graph: nobody waits for it any more.
  const tokens = [...draft.team.order, ...add.map((each) => each.token)].filter((token) => !replaced.has(token));
  const index = new Map(tokens.map((token, position) => [token, position]));
  const graph = tokens.map((token) =>
    (dependsOn.get(token) ?? draft.member(token)?.dependsOn ?? []).flatMap((each) => index.get(each) ?? []),
  );
  const cycle = findCycle(graph);
  if (cycle === null) return;
  const added = new Map(add.map((each) => [each.token, normalizeName(each.spec.name)]));
  const nameAt = (position: number) =>
    added.get(tokens[position] ?? "") ?? draft.mustMember(tokens[position] ?? "").name;
  problems.push(refusal("cycle", { path: cycle.map(nameAt) }));
}

function carryOut(draft: Draft, change: Change): ReplanResult {
  const revision = draft.state.revision + 1;
  draft.set({ revision });
  addMembers(draft, change, revision);
  rewireMembers(draft, change, revision);
  for (const [old, by] of change.replaced) draft.changeMember(old, { replacedBy: draft.mustMember(by).name });
  const { token: team } = draft.team;
  for (const { token } of change.cancel) {
    draft.changeMember(token, { revision });
    draft.postMember(token, team, (member) => ({ type: "member.cancel", mail: member.unread.length > 0 }));
  }
  for (const { member, prompt } of change.retry) retryMember(draft, member.token, prompt, revision);
  for (const { token } of change.shutdown) draft.postMember(token, team, { type: "shutdown.request" });
  draft.postTeam(draft.input.from, { type: "team.replanned" });
  draft.drain();
  for (const token of draft.team.order) if (draft.memberFacts(token).work === "blocked") recountUnmet(draft, token);
  for (const token of draft.team.order) if (draft.mustMember(token).unmet === 0) startIfReady(draft, token);
  draft.drain();
  draft.visible = true;
  if (draft.input.from === "user" && draft.state.config?.lead === "hosted") notifyLead(draft, "user_planned", {});
  return resultOf(draft, change, revision);
}

function addMembers(draft: Draft, { add, dependsOn }: Change, revision: number): void {
  const { team } = draft;
  const byKey = new Map(team.byKey);
  const order = [...team.order];
  for (const { token, spec } of add) {
    byKey.set(collisionKey(normalizeName(spec.name)), token);
    const place = { token, index: order.length, revision, dependsOn: dependsOn.get(token) ?? [], downstream: [] };
    draft.putMember(newMember(draft, spec, place));
    order.push(token);
  }
  draft.changeTeam({ order, byKey, counts: { ...team.counts, total: order.length } });
}

/** Sets new dependencies and keeps both directions of the graph in step. */
function rewireMembers(draft: Draft, { dependsOn }: Change, revision: number): void {
  for (const [token, upstreams] of dependsOn) {
    const member = draft.mustMember(token);
    const before = member.dependsOn;
    draft.putMember({ ...member, dependsOn: upstreams, revision });
    for (const old of before) {
      const upstream = draft.mustMember(old);
      if (!upstreams.includes(old)) {
        draft.putMember({ ...upstream, downstream: upstream.downstream.filter((each) => each !== token) });
      }
    }
    for (const next of upstreams) {
      const upstream = draft.mustMember(next);
      if (!upstream.downstream.includes(token)) {
        draft.putMember({ ...upstream, downstream: [...upstream.downstream, token] });
      }
    }
  }
}

function retryMember(draft: Draft, token: string, prompt: string | null, revision: number): void {
  const member = draft.mustMember(token);
  draft.changeMember(token, { revision, prompt: prompt ?? member.prompt });
  recountUnmet(draft, token);
  draft.postMember(token, draft.team.token, (current) => ({ type: "member.retry", ready: current.unmet === 0 }));
}

function resultOf(draft: Draft, change: Change, revision: number): ReplanResult {
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
  for (let done = 0; done < queue.length; done++) {
    for (const token of draft.mustMember(queue[done] ?? "").downstream) {
      if (stranded.has(token) || draft.memberFacts(token).work !== "blocked") continue;
      stranded.add(token);
      queue.push(token);
    }
  }
  return stranded;
}
