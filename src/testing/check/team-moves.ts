import {
  desiredTimers,
  displayName,
  idleTimer,
  shutdownTimer,
  membersInOrder,
  type MemberRecord,
  type SessionState,
} from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import { ReplanSpec, type ReplanSpecInput } from "../../protocol/spec.ts";
import { inMove } from "./move-name.ts";
import type { MoveInput, World } from "./move.ts";
import { callName } from "./outside-moves.ts";
import { planText } from "./plan-text.ts";
import { requestName } from "./request-name.ts";

/** What the user, the owner and the clock may do next. */

const fromUser = (session: SessionState, event: InputEvent): MoveInput => ({
  actor: session.team?.token ?? "session",
  from: "user",
  event,
});

/** Replans that change one thing each. Those that are not allowed in this state are here too: they must change nothing. */
export function addReplans({ session, facts, replans, add }: World): void {
  const members = membersInOrder(session);
  const plan = (name: string, spec: ReplanSpecInput): void => {
    const event: InputEvent = { type: "team.replan", plan: "plan", byModel: false };
    add(name, "replan", { ...fromUser(session, event), plan: ReplanSpec.parse(spec) });
  };
  for (const { name, lifetime, dependsOn } of members) {
    const shown = inMove(name);
    plan(`a replan cancels ${shown}`, { cancel: [name] });
    plan(`a replan retries ${shown}`, { retry: [{ name }] });
    plan(`a replan shuts ${shown} down`, { shutdown: [name] });
    const replacement = { name: `New${members.length}`, prompt: "p", lifetime, replaces: name };
    plan(`a replan replaces ${shown}`, { add: [replacement] });
    if (dependsOn.length > 0) plan(`a replan frees ${shown}`, { rewire: [{ name, dependsOn: [] }] });
  }
  const failed = members.filter((member) => facts.member(member.snapshot).work === "failed");
  if (failed.length > 1) plan("a replan retries all that failed", { retry: failed.map(({ name }) => ({ name })) });
  addOwnReplans(session, replans, add);
}

/** Plans of the user's own; two that read alike are told apart by their places. */
function addOwnReplans(session: SessionState, replans: readonly ReplanSpec[], add: World["add"]): void {
  const event: InputEvent = { type: "team.replan", plan: "plan", byModel: false };
  const names = replans.map((spec) => `a replan ${planText(spec)}`);
  const single = new Set(singleReplans(session));
  for (const [index, spec] of replans.entries()) {
    const name = names[index] ?? "";
    const isTaken = names.indexOf(name) !== names.lastIndexOf(name) || single.has(name);
    add(isTaken ? `${name} (replans ${index + 1})` : name, "replan", { ...fromUser(session, event), plan: spec });
  }
}

/** Names of the plans that change one thing. */
const singleReplans = (session: SessionState): string[] =>
  membersInOrder(session).flatMap(({ name }) =>
    ["cancels X", "retries X", "shuts X down", "frees X"].map(
      (text) => `a replan ${text.replace("X", () => inMove(name))}`,
    ),
  );

/** Ends of the team, and of the session. */
export function addDissolves({ session, add }: World): void {
  add("the team is dissolved", "dissolve", fromUser(session, { type: "team.dissolve", mode: "graceful" }));
  add("the team is aborted", "dissolve", fromUser(session, { type: "team.dissolve", mode: "abort" }));
  const closed: MoveInput = { actor: "session", from: "system", event: { type: "session.closed" } };
  add("the session is closed", "dissolve", closed);
}

/** Mail of the user; without a lead the host speaks as the Lead. */
export function addUserMessages({ session, add }: World): void {
  const send = (to: string): InputEvent => ({ type: "message.send", to, kind: "instruction", bytes: 1 });
  for (const member of membersInOrder(session))
    add(`user writes to ${inMove(member.name)}`, "message", {
      actor: member.token,
      from: "user",
      event: send(member.name),
    });
  add("user writes to all", "message", fromUser(session, send("*")));
}

/** What members do now is ended, by the user. */
export function addInterrupts({ session, facts, add }: World): void {
  for (const { name, token, snapshot } of session.members.values()) {
    if (facts.member(snapshot).activity === null) continue;
    const event: InputEvent = { type: "member.interrupt", member: name };
    add(`user interrupts ${inMove(name)}`, "interrupt", { actor: token, from: "user", event });
  }
}

/** Changes of the owner, and runs that live on under a new one. */
export function addOwnerMoves({ session, facts, add }: World): void {
  const { epoch } = session;
  const owner = (event: InputEvent): MoveInput => ({ actor: "session", from: "system", event });
  add("the owner changes", "owner", owner({ type: "owner.claimed", epoch: epoch + 1, node: "n" }));
  if (session.snapshot.value !== "closed") add("the owner leaves", "owner", owner({ type: "owner.released", epoch }));
  if (epoch < 2) return;
  for (const { name, token, snapshot, run } of session.members.values()) {
    if (run.adopted !== null || facts.member(snapshot).activity === null) continue;
    const event: InputEvent = { type: "run.adopted", run: snapshot.context.run, k: run.k, epoch: epoch - 1 };
    add(`the run of ${inMove(name)} is adopted`, "owner", { actor: token, from: "system", event });
  }
  const { snapshot, run } = session.lead;
  if (session.config?.lead !== "hosted" || run.adopted !== null || !facts.lead(snapshot).live) return;
  const event: InputEvent = { type: "run.adopted", run: snapshot.context.run, k: run.k, epoch: epoch - 1 };
  add("the run of Lead is adopted", "owner", { actor: "lead", from: "system", event });
}

/** Every timer that is armed may be due. */
export function addTimers({ session, facts, add }: World): void {
  const own = [...session.members.values()].flatMap((member) => [
    idleTimer(session, member, facts),
    shutdownTimer(session, member, facts),
  ]);
  for (const timer of [...desiredTimers(session), ...own]) {
    if (timer === null) continue;
    const { key, generation } = timer;
    const event: InputEvent = { type: "timer.due", key, generation, epoch: session.epoch };
    add(timerName(session, key), "timer", { actor: "session", from: "system", event });
  }
}

function timerName(session: SessionState, key: string): string {
  const [kind = "", ...rest] = key.split(":");
  const id = rest.join(":");
  const nameOf = (token: string): string => displayName(session, (each) => session.members.get(each), token);
  if (kind === "grace") return "the grace timer fires";
  if (kind === "idle") return `the idle timer of ${inMove(nameOf(id))} fires`;
  if (kind === "shutdown") return `the time of ${inMove(nameOf(id))} to shut down is over`;
  if (kind === "external")
    return `${callName(session, id.split(":")[0] ?? "", id.slice(id.indexOf(":") + 1))} times out`;
  const poll = session.polls.findIndex(({ call }) => call === id);
  if (kind === "poll") return poll <= 0 ? "the poll of Lead times out" : `poll ${poll + 1} of Lead times out`;
  const request = session.requests.find((each) => each.id === id);
  return `${requestName(session, request?.id ?? id)} times out`;
}

/** Somebody answers what waits for an answer: that is the ordinary course of things. */
export function addAnswers({ session, add }: World): void {
  for (const { id } of session.requests) {
    for (const approve of [true, false]) {
      const event: InputEvent = { type: "permission.answer", request: id, approve };
      const name = `${requestName(session, id)} is ${approve ? "approved" : "denied"}`;
      add(name, null, { actor: "session", from: "user", event });
    }
  }
  for (const member of session.members.values()) if (member.run.planCall !== null) addPlanAnswers(add, member);
  for (const [index, { call }] of session.lead.questions.entries())
    add(index === 0 ? "user answers Lead" : `user answers Lead ${index + 1}`, null, {
      actor: "lead",
      from: "user",
      event: { type: "question.answer", call },
    });
}

function addPlanAnswers(add: World["add"], { name, token }: MemberRecord): void {
  for (const approve of [true, false]) {
    const event: InputEvent = { type: "plan.answer", member: name, approve };
    add(`the plan of ${inMove(name)} is ${approve ? "approved" : "rejected"}`, null, {
      actor: token,
      from: "user",
      event,
    });
  }
}
