import { isDeepStrictEqual } from "node:util";
import { membersInOrder, type MemberRecord, type SessionState } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import { ReplanSpec, TeamSpec } from "../../protocol/spec.ts";
import { teamState, type JudgedState } from "./guarantee.ts";
import type { MoveInput } from "./move.ts";

/**
 * No member may do by its run what is for the lead, the user, an owner or another member: what is wrong, or null. All of it
 * is tried, on copies, in every situation that differs in what could let it pass: the member's state and run, the team's, and
 * what waits for an answer.
 */
export function forbiddenProblem(state: JudgedState): string | null {
  if (!state.isUntried) return null;
  const { session, facts } = state;
  const waiting = waitingText(state);
  for (const member of membersInOrder(session)) {
    const { work, presence, activity } = facts.member(member.snapshot);
    if (activity === null) continue;
    const { requirePlan, planned } = member.snapshot.context;
    const own = `${work},${presence},${activity},${member.lifetime},${requirePlan},${planned},${member.run.adopted !== null}`;
    if (!state.isNew(`${own};${waiting}`)) continue;
    for (const given of forbiddenTo(session, member)) {
      const problem = tryIt(state, member, given);
      if (problem !== null) return problem;
    }
  }
  return null;
}

/** How the team and its lead stand, and what waits for somebody. */
function waitingText(state: JudgedState): string {
  const { snapshot, requests, polls, lead, members } = state.session;
  const owner = typeof snapshot.value === "string" ? snapshot.value : snapshot.value.opened;
  const counts = [requests, polls, lead.questions, lead.unread].map(({ length }) => (length > 0 ? 1 : 0)).join("");
  let plans = 0;
  for (const { run } of members.values()) if (run.planCall !== null) plans = 1;
  return `${owner},${teamState(state)},${state.facts.lead(lead.snapshot).turn},${counts}${plans}`;
}

/** Everything that a member may not do: others' commands, and reports of others' runs. */
function forbiddenTo(session: SessionState, { token, name, snapshot }: MemberRecord): MoveInput[] {
  const command = { call: "forbidden", run: snapshot.context.run };
  const byCall = { actor: "session", from: token, command };
  const commands = commandsOfOthers(session, name).map((event): MoveInput => ({ ...byCall, event }));
  const create: InputEvent = { type: "team.create", plan: "plan", byModel: false };
  const replan: InputEvent = { type: "team.replan", plan: "plan", byModel: false };
  const claim: InputEvent = { type: "owner.claimed", epoch: session.epoch + 1, node: "mine" };
  const others = membersInOrder(session).filter((other) => other.token !== token);
  return [
    { ...byCall, event: replan, plan: ReplanSpec.parse({ cancel: [name] }) },
    { ...byCall, event: create, plan: TeamSpec.parse({ name: "Mine", members: [{ name: "X", prompt: "x" }] }) },
    ...commands,
    { actor: "session", from: token, event: claim },
    { actor: "session", from: token, event: { type: "session.closed" } },
    ...others.map((other): MoveInput => {
      const { run } = other.snapshot.context;
      return { actor: other.token, from: token, event: { type: "run.completed", run, k: other.run.k + 1 } };
    }),
  ];
}

/** What only the lead and the user may do. */
function commandsOfOthers({ requests, lead, polls }: SessionState, name: string): InputEvent[] {
  return [
    { type: "team.dissolve", mode: "abort" },
    { type: "team.status" },
    { type: "member.interrupt", member: name },
    { type: "permission.answer", request: requests[0]?.id ?? "r", approve: true },
    { type: "plan.answer", member: name, approve: true },
    { type: "question.answer", call: lead.questions[0]?.call ?? "q" },
    { type: "question.ask" },
    { type: "lead.prompt", bytes: 1 },
    { type: "lead.injected", mail: lead.unread.map(({ id }) => id) },
    { type: "poll.ended", call: polls[0]?.call ?? "p" },
  ];
}

function tryIt({ session, probe }: JudgedState, { token, name }: MemberRecord, given: MoveInput): string | null {
  const what = given.event.type;
  const { session: after, step } = probe(given);
  const { verdict, replies } = step.applied;
  if (verdict === "error") return `${what} by ${name} broke the kernel: ${step.applied.why ?? ""}`;
  if (verdict === "handled") return `${name} was allowed ${what}`;
  if (replies.some(({ to, reply }) => to.from !== token || "ok" in reply)) return `${what} by ${name} was answered`;
  return isDeepStrictEqual(restOf(session), restOf(after)) ? null : `${what} by ${name} changed something`;
}

/** A session without its clock, and without what its members' runs remember of refused commands. */
const restOf = ({ seq: _seq, at: _at, members, ...rest }: SessionState): unknown => [
  rest,
  [...members.values()].map(({ run, ...member }) => [member, { ...run, remembered: [] }]),
];
