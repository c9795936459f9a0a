import {
  desiredTimers,
  idleTimer,
  membersInOrder,
  type FactReader,
  type MemberRecord,
  type SessionState,
} from "../../src/machines/index.ts";
import type { InputEvent } from "../../src/protocol/input.ts";
import { ReplanSpec, type ReplanSpecInput } from "../../src/protocol/index.ts";
import type { Given } from "./driver.ts";

/** What the world may do to a session: everything that comes from outside the kernel, in few choices. */

/** Faults and interventions, each with its own budget; what a run does by itself needs none. */
export type Fault =
  | "fail"
  | "ask"
  | "message"
  | "broadcast"
  | "replan"
  | "dissolve"
  | "abort"
  | "owner"
  | "lost"
  | "late"
  | "prompt"
  | "poll"
  | "close"
  | "external"
  | "err"
  | "adopt"
  | "question";

export interface Move {
  readonly name: string;
  /** The budget that it uses up; null = the ordinary course of things. */
  readonly fault: Fault | null;
  readonly given: Given;
}

type Add = (name: string, fault: Fault | null, given: Given) => void;

/** A run's next input. */
const runInput = (owner: { token: string; run: { k: number } }, n: number, event: object): Given => ({
  actor: owner.token,
  from: owner.token,
  // The moves below pair types with their fields.
  event: { ...event, run: n, k: owner.run.k + 1 } as InputEvent,
});

function memberMoves(session: SessionState, facts: FactReader, member: MemberRecord, add: Add): void {
  const { token, run, unread } = member;
  const { activity, presence } = facts.member(member.snapshot);
  const n = member.snapshot.context.run;
  if (n > 0) lateMoves(session, member, activity !== null, add);
  if (activity === null) return;
  const report = (name: string, fault: Fault | null, event: object) =>
    add(`${member.name} ${name}`, fault, runInput(member, n, event));
  const by = (call: string, event: InputEvent): Given => ({
    actor: token,
    from: token,
    event,
    command: { call, run: n },
  });
  const [open] = run.calls;
  const cause = (name: string, fault: Fault | null, event: object) => open === undefined && report(name, fault, event);
  if (unread.length > 0) report("reads", null, { type: "run.injected", mail: unread.map((mail) => mail.id) });
  if (presence === "draining") {
    report("accepts", null, { type: "shutdown.replied", accept: true, reason: "" });
    report("refuses", null, { type: "shutdown.replied", accept: false, reason: "busy" });
  }
  report("fails", "fail", { type: "run.failed", reason: "model_error: script" });
  add(`${member.name} is lost`, "lost", {
    actor: token,
    from: "system",
    event: { type: "run.lost", run: n, reason: "node gone" },
  });
  add(`${member.name} is adopted`, "adopt", {
    actor: token,
    from: "system",
    event: { type: "run.adopted", run: n, k: run.k, epoch: session.epoch - 1 },
  });
  if (activity === "completing") {
    if (open === undefined) report("ends its step", null, { type: "step.ended" });
    else report("ends its call", null, { type: "tool.ended", call: open, verdict: "ok" });
    return;
  }
  const [external] = run.externals;
  if (external !== undefined) {
    const event = { type: "external.answer", call: external, member: member.name, verdict: "ok" } as const;
    add(`${member.name} hears from outside`, null, { actor: token, from: "user", event });
  }
  if (activity === "backing_off") report("tries again", null, { type: "run.retried" });
  if (activity === "waiting_permission" || activity === "waiting_external" || activity === "backing_off") return;
  if (activity === "waiting_plan_approval") return;
  cause("errs", "err", { type: "run.erred", reason: "model_error: overloaded", retryInMs: 1 });
  cause("calls", null, { type: "tool.started", call: `${member.name}-call`, tool: "tool" });
  cause("ends its turn", null, { type: "turn.ended", finish: "stop" });
  cause("delivers", null, { type: "run.completed" });
  if (open === undefined) return;
  report("ends its call", null, { type: "tool.ended", call: open, verdict: "ok" });
  report("asks outside", "external", { type: "external.asked", call: open, tool: "tool" });
  if (!run.remembered.some((each) => each.call === open)) commandMoves(session, member, open, by, add);
}

function commandMoves(
  session: SessionState,
  member: MemberRecord,
  call: string,
  by: (call: string, event: InputEvent) => Given,
  add: Add,
): void {
  const send = (to: string): InputEvent => ({ type: "message.send", to, kind: "text", bytes: 1 });
  add(`${member.name} completes`, null, by(call, { type: "work.complete" }));
  const { requirePlan, planned } = member.snapshot.context;
  if (requirePlan && !planned) add(`${member.name} submits its plan`, null, by(call, { type: "plan.submit" }));
  const ask = { type: "permission.ask", kind: "tool", tool: "t", subject: "s", approver: "user" } as const;
  add(`${member.name} asks`, "ask", by(call, ask));
  for (const other of membersInOrder(session))
    if (other !== member) add(`${member.name} to ${other.name}`, "message", by(call, send(other.name)));
  add(`${member.name} to Lead`, "message", by(call, send("Lead")));
  add(`${member.name} to all`, "broadcast", by(call, send("*")));
}

/** Outcomes of runs that are over, of older owners, twice, or with a gap. */
function lateMoves(session: SessionState, member: MemberRecord, live: boolean, add: Add): void {
  const n = member.snapshot.context.run;
  const done = (run: number, k: number, epoch = session.epoch): Given => ({
    actor: member.token,
    from: member.token,
    epoch,
    event: { type: "run.completed", run, k },
  });
  const { k } = member.run;
  add(`${member.name} late`, "late", done(live ? n - 1 : n, k + 1));
  add(`${member.name} ahead`, "late", done(n, k + 2));
  add(`${member.name} old owner`, "late", done(n, k + 1, session.epoch - 1));
  if (live && k > 0) add(`${member.name} twice`, "late", done(n, k));
}

const planMove = (session: SessionState, spec: ReplanSpecInput): Given => ({
  actor: session.team?.token ?? "session",
  from: "user",
  event: { type: "team.replan", plan: "digest", byModel: false },
  plan: ReplanSpec.parse(spec),
});

function teamMoves(session: SessionState, facts: FactReader, add: Add): void {
  const { team } = session;
  if (team === null) return;
  const members = membersInOrder(session);
  const [first] = members;
  for (const member of members) {
    const { name } = member;
    const added = members.length;
    add(`cancel ${name}`, "replan", planMove(session, { cancel: [name] }));
    add(`retry ${name}`, "replan", planMove(session, { retry: [{ name }] }));
    add(`shut ${name} down`, "replan", planMove(session, { shutdown: [name] }));
    const replacement = { name: `New${added}`, prompt: "p", replaces: name };
    add(`replace ${name}`, "replan", planMove(session, { add: [replacement] }));
    if (first !== undefined && member !== first) {
      const free = planMove(session, { rewire: [{ name, dependsOn: [] }] });
      add(`free ${name}`, "replan", free);
      const both = planMove(session, { retry: [{ name: first.name }, { name }] });
      add(`retry ${first.name} and ${name}`, "replan", both);
    }
    const send = { type: "message.send", to: name, kind: "text", bytes: 1 } as const;
    add(`user to ${name}`, "message", { actor: member.token, from: "user", event: send });
  }
  const send = { type: "message.send", to: "broadcast", kind: "text", bytes: 1 } as const;
  add("lead to all", "broadcast", {
    actor: team.token,
    from: session.config?.lead === "hosted" ? "user" : "lead",
    event: send,
  });
  const dissolve = (mode: "graceful" | "abort"): Given => ({
    actor: team.token,
    from: "user",
    event: { type: "team.dissolve", mode },
  });
  add("dissolve", "dissolve", dissolve("graceful"));
  add("abort", "abort", dissolve("abort"));
}

function leadMoves(session: SessionState, facts: FactReader, add: Add): void {
  if (session.config?.lead !== "hosted") return;
  const { lead } = session;
  add("user prompts", "prompt", { actor: "lead", from: "user", event: { type: "lead.prompt", bytes: 1 } });
  if (!facts.lead(lead.snapshot).live) return;
  const n = lead.snapshot.context.run;
  const report = (name: string, fault: Fault | null, event: object) =>
    add(`Lead ${name}`, fault, runInput({ token: "lead", run: lead.run }, n, event));
  const [open] = lead.run.calls;
  report("fails", "fail", { type: "run.failed", reason: "model_error: script" });
  add("Lead is lost", "lost", { actor: "lead", from: "system", event: { type: "run.lost", run: n, reason: "gone" } });
  for (const { call } of lead.questions)
    add("user answers", null, { actor: "lead", from: "user", event: { type: "question.answer", call } });
  if (facts.lead(lead.snapshot).turn === "backing_off") {
    report("tries again", null, { type: "run.retried" });
    return;
  }
  if (session.polls.length + lead.questions.length > 0) return;
  if (open !== undefined) {
    const status = { type: "team.status", since: session.notableVersion } as const;
    if (lead.run.remembered.length === 0)
      add("Lead polls", "poll", { actor: "lead", from: "lead", event: status, command: { call: open, run: n } });
    if (lead.run.remembered.length === 0) {
      const ask = { type: "question.ask" } as const;
      add("Lead asks", "question", { actor: "lead", from: "lead", event: ask, command: { call: open, run: n } });
    }
    report("ends its call", null, { type: "tool.ended", call: open, verdict: "ok" });
    return;
  }
  report("errs", "err", { type: "run.erred", reason: "model_error: overloaded", retryInMs: 1 });
  if (lead.unread.length > 0) {
    // A host injects what is unread before every model call.
    report("reads", null, { type: "run.injected", mail: lead.unread.map((mail) => mail.id) });
    return;
  }
  report("calls", "poll", { type: "tool.started", call: "lead-call", tool: "team_status" });
  report("ends its turn", null, { type: "turn.ended", finish: "stop" });
}

/** Everything that may happen next. */
export function movesOf(session: SessionState, facts: FactReader): Move[] {
  const moves: Move[] = [];
  const add: Add = (name, fault, given) => moves.push({ name, fault, given });
  for (const member of session.members.values()) memberMoves(session, facts, member, add);
  teamMoves(session, facts, add);
  leadMoves(session, facts, add);
  const { epoch } = session;
  const idle = [...session.members.values()].flatMap((member) => idleTimer(session, member, facts) ?? []);
  for (const { key, generation } of [...desiredTimers(session), ...idle]) {
    const event = { type: "timer.due", key, generation, epoch } as const;
    add(`timer ${key}`, null, { actor: "session", from: "system", event });
  }
  for (const request of session.requests) {
    for (const approve of [true, false]) {
      const event = { type: "permission.answer", request: request.id, approve } as const;
      add(`${approve ? "approve" : "deny"} ${request.id}`, null, { actor: "session", from: "user", event });
    }
  }
  for (const { name, run } of session.members.values()) {
    if (run.planCall === null) continue;
    for (const approve of [true, false]) {
      const event = { type: "plan.answer", member: name, approve } as const;
      add(`${approve ? "approve" : "reject"} the plan of ${name}`, null, { actor: "session", from: "user", event });
    }
  }
  const claimed = { type: "owner.claimed", epoch: epoch + 1, node: "n" } as const;
  add("new owner", "owner", { actor: "session", from: "system", event: claimed });
  add("close", "close", { actor: "session", from: "user", event: { type: "session.closed" } });
  return moves;
}
