import { normalizeName } from "../../protocol/names.ts";
import type { ReplanSpec } from "../../protocol/spec.ts";
import { memberToken } from "../../protocol/subject.ts";
import { findCycle } from "../dag.ts";
import type { Draft } from "./draft.ts";
import type { Faults } from "./faults.ts";
import { checkSeeds } from "./new-tasks.ts";
import { checkMember, checkPrompt, membersMaxOf, NameTable } from "./plan-check.ts";
import { findMember, memberNames } from "./roster.ts";
import { successorOf } from "./successor.ts";
import type { InvitedAgent } from "./invited-agent.ts";
import type { MemberRecord } from "./state.ts";

/** A replan worked out and found good, by token, before anything is changed. */
export interface ReplanChange {
  readonly cancel: readonly MemberRecord[];
  readonly retry: readonly { readonly member: MemberRecord; readonly prompt: string | null }[];
  readonly shutdown: readonly MemberRecord[];
  readonly add: readonly {
    readonly token: string;
    readonly spec: ReplanSpec["add"][number];
    /** Given for an agent that is invited. */
    readonly invited?: InvitedAgent;
  }[];
  /** Old token to the token that takes its place. */
  readonly replaced: ReadonlyMap<string, string>;
  /** New dependencies of everybody whose dependencies change, added members included. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
}

/** Works a replan out against the roster; what is wrong with it goes into `faults`. */
export function workOutReplan(draft: Draft, spec: ReplanSpec, byModel: boolean, faults: Faults): ReplanChange {
  const known = memberNames(draft);
  const named = (name: string): MemberRecord[] => {
    if (faults.full) return [];
    const member = findMember(draft, name);
    if (member === undefined) faults.unknownMember(name, known);
    return member === undefined ? [] : [member];
  };
  const cancel = new Set(spec.cancel.flatMap(named));
  const retry = spec.retry.flatMap(({ name, prompt }) =>
    named(name).map((member) => ({ member, prompt: prompt ?? null })),
  );
  for (const { member, prompt } of retry) checkRetry(draft, member, prompt, faults);
  const shutdown = [...new Set(spec.shutdown.flatMap(named))];
  for (const member of shutdown) checkShutdown(draft, member, faults);
  const rewired = spec.rewire.flatMap((each) =>
    named(each.name).map((member) => ({ member, dependsOn: each.dependsOn })),
  );
  for (const { member } of rewired) {
    const { work } = draft.memberFacts(member.token);
    if (work !== "blocked") faults.add("not_rewirable", { name: member.name, status: work });
  }
  const { add, replaced, table } = workOutAdded(draft, spec, named, byModel, faults);
  for (const member of cancel) checkCancel(draft, member, replaced, faults);
  const dependsOn = workOutDependencies(draft, { spec, add, rewired, replaced, table }, faults);
  const changed = [...retry.map((each) => each.member), ...shutdown, ...rewired.map((each) => each.member)];
  const leaving = new Set([...cancel, ...[...replaced.keys()].map((old) => draft.mustMember(old))]);
  checkContradictions([...leaving, ...changed], faults);
  for (const old of replaced.keys()) {
    if (draft.memberFacts(old).work !== "cancelled") cancel.add(draft.mustMember(old));
  }
  checkSeeds(draft, bringingOf(add), faults);
  checkStale(draft, spec, [...cancel, ...changed], faults);
  if (faults.list.length === 0) checkCycle(draft, add, dependsOn, replaced, faults);
  return { cancel: [...cancel], retry, shutdown, add, replaced, dependsOn };
}

/**
 * The added members that bring seed tasks: who takes another's place takes over that one's tasks instead, and who is
 * invited is of no agent type.
 */
export const bringingOf = (add: ReplanChange["add"]): { readonly token: string; readonly agentType: string }[] =>
  add.flatMap(({ token, spec, invited }) =>
    spec.replaces === undefined && invited === undefined ? [{ token, agentType: spec.agentType }] : [],
  );

/** One plan does one thing to a member; two would leave it open which of them stands. */
function checkContradictions(named: readonly MemberRecord[], faults: Faults): void {
  const once = new Set<MemberRecord>();
  const twice = new Set<string>();
  for (const member of named) {
    if (once.has(member)) twice.add(member.name);
    once.add(member);
  }
  for (const name of twice) {
    faults.add("bad_input", { what: "replan", problem: `${name} is to be changed in two ways at once` });
  }
}

function checkCancel(draft: Draft, member: MemberRecord, replaced: ReadonlyMap<string, string>, faults: Faults): void {
  const { work } = draft.memberFacts(member.token);
  if (work === "completed" || (work === "cancelled" && !replaced.has(member.token))) {
    faults.add("not_cancellable", { name: member.name, status: work });
  }
}

function checkRetry(draft: Draft, member: MemberRecord, prompt: string | null, faults: Faults): void {
  const { config } = draft.state;
  if (prompt !== null && config !== null) checkPrompt(member.name, prompt, config, faults);
  const { work, presence } = draft.memberFacts(member.token);
  const open = presence !== "shutdown" && presence !== "draining";
  const may = open && (work === "failed" || (work === "completed" && member.lifetime === "persistent"));
  if (!may) faults.add("not_retryable", { name: member.name, status: presence === "shutdown" ? presence : work });
}

function checkShutdown(draft: Draft, member: MemberRecord, faults: Faults): void {
  const { presence } = draft.memberFacts(member.token);
  if (presence === "shutdown" || presence === "draining" || presence === "parked") {
    faults.add("not_cancellable", { name: member.name, status: presence });
  }
}

/** A plan made on an old revision is refused when it names somebody that a newer plan changed. */
function checkStale(draft: Draft, spec: ReplanSpec, touched: readonly MemberRecord[], faults: Faults): void {
  const { revision } = spec;
  if (revision === undefined) return;
  const changed = touched.filter((member) => member.revision > revision).map((member) => member.name);
  if (changed.length > 0 || revision > draft.state.revision) {
    faults.add("stale_revision", { revision, current: draft.state.revision, members: [...new Set(changed)] });
  }
}

function workOutAdded(
  draft: Draft,
  spec: ReplanSpec,
  named: (name: string) => MemberRecord[],
  byModel: boolean,
  faults: Faults,
) {
  const { team } = draft;
  const config = draft.state.config;
  const table = new NameTable<string>();
  for (const token of team.order) table.add(draft.mustMember(token).name, token);
  const replaced = new Map<string, string>();
  const count = team.order.length + spec.add.length;
  const membersMax = config === null ? count : membersMaxOf(config, byModel);
  // A model may still change a team that the host made larger; it can't make it larger yet.
  if (spec.add.length > 0 && count > membersMax) faults.add("too_many_members", { count, membersMax });
  const add = spec.add.map((each) => {
    const token = memberToken(normalizeName(each.name), team.k);
    if (config !== null) checkMember(each, config, faults);
    const other = table.add(normalizeName(each.name), token);
    if (other !== null) faults.add("name_collision", { name: each.name, other });
    for (const old of each.replaces === undefined ? [] : named(each.replaces)) {
      checkReplaced(draft, old, replaced, faults);
      replaced.set(old.token, token);
    }
    return { token, spec: each };
  });
  return { add, replaced, table };
}

function checkReplaced(draft: Draft, old: MemberRecord, replaced: ReadonlyMap<string, string>, faults: Faults): void {
  const { work } = draft.memberFacts(old.token);
  const status = old.replacedBy === null ? work : `replaced by ${old.replacedBy}`;
  if (work === "completed" || old.replacedBy !== null) faults.add("not_cancellable", { name: old.name, status });
  // Two members can't both take one place.
  if (replaced.has(old.token)) faults.add("name_collision", { name: old.name, other: old.name });
}

function workOutDependencies(
  draft: Draft,
  plan: {
    readonly spec: ReplanSpec;
    readonly add: ReplanChange["add"];
    readonly rewired: readonly { readonly member: MemberRecord; readonly dependsOn: readonly string[] }[];
    readonly replaced: ReadonlyMap<string, string>;
    readonly table: NameTable<string>;
  },
  faults: Faults,
): Map<string, readonly string[]> {
  const { add, rewired, replaced, table } = plan;
  const resolve = (name: string, names: readonly string[]): string[] => [
    ...new Set(
      names.flatMap((dependency) => {
        if (faults.full) return [];
        const token = table.get(dependency);
        if (token === undefined) faults.unknownDependency(name, dependency, table.names());
        return token === undefined ? [] : [token];
      }),
    ),
  ];
  const substitute = (tokens: readonly string[]) => [
    ...new Set(tokens.map((token) => successorOf(draft, token, replaced))),
  ];
  const dependsOn = new Map<string, readonly string[]>();
  for (const [old] of replaced) {
    for (const token of draft.mustMember(old).downstream) {
      // One pass tells all that were replaced: who waits for a thousand of them is looked at once.
      if (!dependsOn.has(token)) dependsOn.set(token, substitute(draft.mustMember(token).dependsOn));
    }
  }
  for (const { member, dependsOn: names } of rewired)
    dependsOn.set(member.token, substitute(resolve(member.name, names)));
  for (const { token, spec } of add) {
    const old = spec.replaces === undefined ? undefined : findMember(draft, spec.replaces);
    const own = spec.dependsOn === undefined ? (old?.dependsOn ?? []) : resolve(spec.name, spec.dependsOn);
    dependsOn.set(token, substitute(own));
  }
  return dependsOn;
}

function checkCycle(
  draft: Draft,
  add: ReplanChange["add"],
  dependsOn: ReadonlyMap<string, readonly string[]>,
  replaced: ReadonlyMap<string, string>,
  faults: Faults,
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
  faults.add("cycle", { path: cycle.map(nameAt) });
}
