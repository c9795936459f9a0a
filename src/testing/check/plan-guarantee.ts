import { isDeepStrictEqual } from "node:util";
import { membersInOrder, type MemberRecord, type SessionState } from "../../machines/index.ts";
import { collisionKey } from "../../protocol/names.ts";
import type { ReplanResult } from "../../protocol/reply.ts";
import { ReplanSpec, TeamSpec, type ReplanSpecInput } from "../../protocol/spec.ts";
import { isLeaving, type JudgedState, type JudgedStep } from "./guarantee.ts";

/** Plans are taken or refused whole, for what they are, and told as they were carried out; a part of G6. */

/** No plan passes that must not: all of it is tried, on copies. What is wrong with a state, or null. */
export function refusalProblem(state: JudgedState): string | null {
  if (!state.isUntried) return null;
  const { session, facts } = state;
  if (session.team === null || session.snapshot.value === "closed" || isLeaving(session, facts)) return null;
  if (state.isNew("a second team")) {
    const another = TeamSpec.parse({ name: "Another", members: [{ name: "X", prompt: "x" }] });
    const event = { type: "team.create", plan: "plan", byModel: false } as const;
    const { step } = state.probe({ actor: "session", from: "user", event, plan: another });
    if (step.applied.verdict === "handled") return "a team took the place of another that is there";
  }
  for (const member of membersInOrder(session)) {
    const { work, presence } = facts.member(member.snapshot);
    for (const [what, spec] of refusedPlans(session, member, work)) {
      if (!state.isNew(`plan: ${what},${work},${presence},${member.downstream.length}`)) continue;
      const problem = tryIt(state, ReplanSpec.parse(spec));
      if (problem !== null) return `a plan that ${what} ${problem}`;
    }
  }
  return null;
}

/** Plans for a member that must be refused, each with what is wrong with it. */
function refusedPlans(session: SessionState, member: MemberRecord, work: string): [string, ReplanSpecInput][] {
  const { name, revision, downstream } = member;
  const plans: [string, ReplanSpecInput][] = [
    ["takes a name twice", { add: [{ name, prompt: "p" }] }],
    ["waits for nobody", { add: [{ name: "Somebody", prompt: "p", dependsOn: ["Nobody there"] }] }],
  ];
  if (work === "blocked" || work === "in_progress") {
    plans.push(["names nobody beside somebody", { cancel: [name, "Nobody there"] }]);
    plans.push(["is made on a plan to come", { revision: session.revision + 1, cancel: [name] }]);
    if (revision > 1) plans.push(["is made on an old plan", { revision: revision - 1, cancel: [name] }]);
  }
  if (work !== "blocked") return plans;
  for (const token of [member.token, ...downstream]) {
    const upstream = session.members.get(token);
    // Who was replaced stands for nobody any more.
    if (upstream === undefined || upstream.replacedBy !== null) continue;
    plans.push(["makes a cycle", { rewire: [{ name, dependsOn: [upstream.name] }] }]);
  }
  return plans;
}

function tryIt({ session, probe }: JudgedState, plan: ReplanSpec): string | null {
  const event = { type: "team.replan", plan: "plan", byModel: false } as const;
  const { session: after, step } = probe({ actor: session.team?.token ?? "session", from: "user", event, plan });
  if (step.applied.verdict !== "refused") return `was ${step.applied.verdict}`;
  return isDeepStrictEqual(restOf(session), restOf(after)) ? null : "was refused and changed something";
}

/** A session without its clock. */
const restOf = ({ seq: _seq, at: _at, ...rest }: SessionState): unknown => rest;

/** A plan that may be made is carried out, and its answer says what it did: what is wrong with a step, or null. */
export function replannedProblem(step: JudgedStep): string | null {
  const { record, applied } = step;
  const { plan, input } = record;
  if (input.event.type !== "team.replan" || plan === undefined || !("rewire" in plan)) return null;
  if (applied.verdict === "refused") return barredProblem(step, plan);
  if (applied.verdict !== "handled") return null;
  for (const { reply } of applied.replies)
    if ("ok" in reply && reply.ok.type === "replanned") return resultProblem(step, plan, reply.ok);
  return null;
}

/** Whoever works or waits can be cancelled, whoever failed tried again. */
function barredProblem({ before, record, facts }: JudgedStep, plan: ReplanSpec): string | null {
  const { cancel, retry, add, rewire, shutdown, revision } = plan;
  if (before.members.has(record.input.from) || before.team === null || isLeaving(before, facts)) return null;
  if (add.length + rewire.length + shutdown.length > 0 || revision !== undefined) return null;
  if (cancel.length + retry.length !== 1) return null;
  const key = collisionKey(cancel[0] ?? retry[0]?.name ?? "");
  const member = [...before.members.values()].find(({ name }) => collisionKey(name) === key);
  if (member === undefined) return null;
  const { work, presence } = facts.member(member.snapshot);
  if (cancel.length === 1)
    return work === "in_progress" || work === "blocked" ? `${member.name} is ${work} and could not be cancelled` : null;
  return work === "failed" && presence === "parked" ? `${member.name} failed and could not be tried again` : null;
}

function resultProblem({ after, facts }: JudgedStep, plan: ReplanSpec, result: ReplanResult): string | null {
  const workOf = ({ snapshot }: MemberRecord): string => facts.member(snapshot).work;
  const members = membersInOrder(after);
  const blocked = members.filter((member) => workOf(member) === "blocked");
  const isStuck = (member: MemberRecord): boolean =>
    ["cancelled", "failed"].includes(workOf(member)) ||
    (workOf(member) === "blocked" && upstreamsOf(after, member).some(isStuck));
  const names = (of: readonly MemberRecord[]): string => of.map(({ name }) => name).join();
  const stuck = blocked.filter((member) => upstreamsOf(after, member).some(isStuck));
  if (result.revision !== after.revision) return `the plan is ${after.revision} and told as ${result.revision}`;
  if (result.stillBlocked.join() !== names(blocked)) return `${names(blocked)} wait, and others are told to`;
  if (result.stranded.join() !== names(stuck)) return `${names(stuck) || "nobody"} is stranded, and told otherwise`;
  if (result.retried.length !== plan.retry.length) return "the plan says of others that they were tried again";
  return result.added.length === plan.add.length ? null : "the plan says of others that they were added";
}

const upstreamsOf = ({ members }: SessionState, { dependsOn }: MemberRecord): MemberRecord[] =>
  dependsOn.flatMap((token) => members.get(token) ?? []);
