import { membersInOrder } from "../../machines/index.ts";
import type { CommandKey, InputEvent } from "../../protocol/input.ts";
import { ReplanSpec, type ReplanSpecInput } from "../../protocol/spec.ts";
import { addLeadBoardMoves } from "./board-moves.ts";
import type { Budget } from "./budgets.ts";
import { addRefusedTask } from "./hook-moves.ts";
import { addInvitationsBy } from "./invite-moves.ts";
import { numbered } from "./move-name.ts";
import type { MoveInput, World } from "./move.ts";
import { addOutsideAsks, isOutside } from "./outside-moves.ts";
import { planText } from "./plan-text.ts";
import { requestName } from "./request-name.ts";

/** What a hosted lead may do next, and the user to it; nothing without one. */
export function addLeadMoves(world: World): void {
  const { session, facts, add, wants } = world;
  if (session.config?.lead !== "hosted") return;
  if (wants("message"))
    add("user prompts Lead", "message", {
      actor: "lead",
      from: "user",
      event: { type: "lead.prompt", bytes: 1 },
    });
  const { snapshot, run } = session.lead;
  if (!facts.lead(snapshot).live) return;
  const n = snapshot.context.run;
  const from = (event: InputEvent): MoveInput => ({ actor: "lead", from: "lead", event });
  if (wants("lost")) {
    const event: InputEvent = { type: "run.lost", run: n, reason: "node gone" };
    add("the run of Lead is lost", "lost", { actor: "lead", from: "system", event });
  }
  const report = (name: string, budget: Budget | null, event: InputEvent): void =>
    add(`Lead ${name}`, budget, from(event));
  const next = { run: n, k: run.k + 1 };
  if (wants("outcomes")) report("fails", "outcomes", { type: "run.failed", ...next, reason: "model_error: script" });
  const { turn } = facts.lead(snapshot);
  if (turn === "backing_off") {
    report("tries again", null, { type: "run.retried", ...next });
    return;
  }
  // A turn with one call at a time waits for the answer; others of the same step go on.
  const waits = run.remembered.some(({ reply }) => reply === null);
  const goesOn = !waits || world.callsMax > 1;
  if (goesOn && run.calls.length < world.callsMax) {
    const call = ["lead:1", "lead:2"].find((each) => !run.calls.includes(each)) ?? `lead:${run.calls.length + 1}`;
    report(numbered("calls a tool", run.calls.length), null, { type: "tool.started", ...next, call, tool: "tool" });
  }
  if (run.calls.length > 0) {
    if (goesOn) addCallMoves(world, n);
    return;
  }
  const { unread } = session.lead;
  if (unread.length > 0) report("reads", null, { type: "run.injected", ...next, mail: unread.map(({ id }) => id) });
  const usage = { input: 0, output: 0 };
  if (world.journals) report("is answered", null, { type: "run.answered", ...next, calls: 0, usage, finish: "stop" });
  const compacted: InputEvent = { type: "run.compacted", ...next, usage, called: true };
  if (world.journals) report("goes on from a summary", null, compacted);
  if (world.journals || (snapshot.context.losses > 0 && wants("lost")))
    report("ends its step", null, { type: "step.ended", ...next });
  report("ends its turn", null, { type: "turn.ended", ...next, finish: "stop" });
  const erred: InputEvent = { type: "run.erred", ...next, reason: "overloaded", retryInMs: 1 };
  if (wants("outcomes")) report("is put off by its provider", "outcomes", erred);
}

function addCallMoves(world: World, n: number): void {
  const { session, add } = world;
  const { run } = session.lead;
  for (const [index, call] of run.calls.entries()) {
    const known = run.remembered.find((each) => each.call === call);
    // It waits for its answer: for news, for the user, or for the end of a dissolve.
    if (known?.reply === null) continue;
    const say = (name: string, budget: Budget | null, event: InputEvent, command?: CommandKey): void =>
      add(numbered(`Lead ${name}`, index), budget, { actor: "lead", from: "lead", event, ...(command && { command }) });
    say("ends its call", null, { type: "tool.ended", run: n, k: run.k + 1, call, verdict: "ok" });
    if (known !== undefined) continue;
    addOutsideAsks(world, { actor: "lead", run, call }, (name, budget, event) =>
      say(name, budget, { ...event, run: n, k: run.k + 1 }),
    );
    if (isOutside(session, "lead", call)) continue;
    const command = { call, run: n };
    say("waits for news", null, { type: "team.status", since: session.notableVersion }, command);
    if (world.journals) say("looks at the team", null, { type: "team.status" }, command);
    addLeadAsks(world, (name, budget, event) => say(name, budget, event, command));
    addTeamCommands(world, command, (text) => numbered(text, index));
  }
}

type Say = (name: string, budget: Budget | null, event: InputEvent) => void;

/** It answers what waits for it, asks, and may only try to answer what waits for the user. */
function addLeadAsks({ session, wants }: World, say: Say): void {
  const asks = wants("permission");
  if (asks) {
    say("asks the user", "permission", { type: "question.ask" });
    // Whoever it would have answer, a lead's own request is for the user.
    const ask: InputEvent = { type: "permission.ask", kind: "tool", tool: "tool", subject: "s", approver: "lead" };
    say("asks for a permission", "permission", ask);
  }
  for (const { id, approver } of session.requests) {
    const name = requestName(session, id);
    const answer = (approve: boolean): InputEvent => ({ type: "permission.answer", request: id, approve });
    if (approver === "lead") {
      say(`approves ${name}`, null, answer(true));
      say(`denies ${name}`, null, answer(false));
    } else if (asks) say(`tries to approve ${name}`, "permission", answer(true));
  }
}

/** What the Lead does to its team by an open call, as its tools do. */
function addTeamCommands(world: World, command: CommandKey, called: (text: string) => string): void {
  const { session, add, wants } = world;
  const input = { actor: session.team?.token ?? "session", from: "lead", command };
  const members = membersInOrder(session);
  if (wants("message")) {
    const send = (to: string): InputEvent => ({ type: "message.send", to, kind: "text", bytes: 1 });
    for (const { name, token } of members)
      add(called(`Lead writes to ${name}`), "message", { ...input, actor: token, event: send(name) });
    add(called("Lead writes to all"), "message", { ...input, event: send("*") });
  }
  if (wants("replan")) {
    const event: InputEvent = { type: "team.replan", plan: "plan", byModel: true };
    const replan = (given: ReplanSpecInput): void => {
      const plan = ReplanSpec.parse(given);
      add(called(`Lead replans: ${planText(plan)}`), "replan", { ...input, event, plan });
    };
    for (const { name } of members) {
      replan({ cancel: [name] });
      replan({ retry: [{ name }] });
    }
  }
  if (wants("invite")) addInvitationsBy(world, { from: "lead", command, called: (text) => called(`Lead ${text}`) });
  addLeadBoardMoves(world, input, called);
  if (wants("hook")) addRefusedTask(world, called("Lead adds a task"), input);
  if (wants("dissolve")) {
    add(called("Lead dissolves the team"), "dissolve", {
      ...input,
      event: { type: "team.dissolve", mode: "graceful" },
    });
    add(called("Lead aborts the team"), "dissolve", { ...input, event: { type: "team.dissolve", mode: "abort" } });
  }
}
