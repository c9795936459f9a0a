import { membersInOrder, type MemberRecord } from "../../machines/index.ts";
import type { CommandKey, InputEvent, InputOf } from "../../protocol/input.ts";
import { ReplanSpec } from "../../protocol/spec.ts";
import { addMemberBoardMoves } from "./board-moves.ts";
import { hasMail } from "../../machines/kernel/shutdown.ts";
import type { Budget } from "./budgets.ts";
import { addHookMoves, addHookRefusals } from "./hook-moves.ts";
import { addInvitationsBy } from "./invite-moves.ts";
import { inMove, numbered } from "./move-name.ts";
import type { World } from "./move.ts";
import { addOutsideAsks, isOutside } from "./outside-moves.ts";

/** What a member's run may do next: the ordinary course of an agent loop, and what may go wrong in it. */

type RunEvent = Extract<InputEvent, { run: number; k: number }>;
/** Distributes over the union, so that type and fields stay a pair. */
type Reported<Event> = Event extends RunEvent ? Omit<Event, "run" | "k"> : never;
type Report = Reported<RunEvent>;

/** One live run of a member, with the two ways in which it makes itself heard. */
interface Run {
  readonly world: World;
  readonly member: MemberRecord;
  /** Reports the run's next fact. */
  readonly report: (name: string, budget: Budget | null, event: Report) => void;
  /** Sends a command by an open call. */
  readonly command: (name: string, budget: Budget | null, call: string, event: InputEvent) => void;
}

const usage = { input: 0, output: 0 };

/** The moves of one member; none without a live run. */
export function addMemberMoves(world: World, member: MemberRecord): void {
  const { token, run: open } = member;
  const name = inMove(member.name);
  const { activity, presence } = world.facts.member(member.snapshot);
  if (activity === null) return;
  const n = member.snapshot.context.run;
  const input = (event: InputEvent, command?: CommandKey) => ({
    actor: token,
    from: token,
    event,
    ...(command && { command }),
  });
  const run: Run = {
    world,
    member,
    report(what, budget, event) {
      const reported: RunEvent = { ...event, run: n, k: open.k + 1 };
      world.add(`${name} ${what}`, budget, input(reported));
    },
    command: (what, budget, call, event) => world.add(`${name} ${what}`, budget, input(event, { call, run: n })),
  };
  if (hasMail(member.unread) && activity !== "completing")
    run.report("reads", null, { type: "run.injected", mail: member.unread.map((mail) => mail.id) });
  if (presence === "draining") {
    run.report("agrees to shut down", null, { type: "shutdown.replied", accept: true, reason: "" });
    run.report("refuses to shut down", null, { type: "shutdown.replied", accept: false, reason: "busy" });
  }
  if (activity === "backing_off") run.report("tries again", null, { type: "run.retried" });
  else if (activity === "completing") addCompletingMoves(run);
  else addWorkingMoves(run);
  if (world.wants("outcomes")) run.report("fails", "outcomes", { type: "run.failed", reason: "model_error: script" });
  if (world.hooks && world.wants("hook")) addHookMoves(world, member);
  if (world.wants("lost")) addLost(world, member, n);
}

function addLost(world: World, { name, token }: MemberRecord, n: number): void {
  const event: InputOf<"run.lost"> = { type: "run.lost", run: n, reason: "node gone" };
  world.add(`the run of ${inMove(name)} is lost`, "lost", { actor: token, from: "system", event });
}

function addCallEnds({ member, report }: Run): void {
  const { calls, asks } = member.run;
  for (const [index, call] of calls.entries()) {
    if (asks.includes(call)) continue;
    report(numbered("ends its call", index), null, { type: "tool.ended", call, verdict: "ok" });
  }
}

/** What is open beside an accepted `complete` goes on; the step ends when nothing is. */
function addCompletingMoves(run: Run): void {
  const { world, member, report } = run;
  const { calls, completeCall } = member.run;
  addCallEnds(run);
  if (calls.length === 0) report("ends its step", null, { type: "step.ended" });
  for (const [index, call] of calls.entries()) if (call !== completeCall) addCommands(run, call, index);
  if (!world.wants("outcomes")) return;
  report("ends its turn while it completes", "outcomes", { type: "turn.ended", finish: "stop" });
  const call = freeCall(member);
  report("calls a tool while it completes", "outcomes", { type: "tool.started", call, tool: "tool" });
}

function addWorkingMoves(run: Run): void {
  const { world, member, report } = run;
  const { calls } = member.run;
  const waits = member.run.asks.length > 0 || member.run.planCall !== null;
  // A run with one call at a time waits for the answer; others of the same step go on.
  const goesOn = !waits || world.callsMax > 1;
  if (goesOn && calls.length < world.callsMax) {
    const call = freeCall(member);
    report(numbered("calls a tool", calls.length), null, { type: "tool.started", call, tool: "tool" });
  }
  if (goesOn) addCallEnds(run);
  if (calls.length === 0) {
    if (world.journals && !hasMail(member.unread)) report("reads nothing", null, { type: "run.injected", mail: [] });
    if (world.journals) report("is answered", null, { type: "run.answered", calls: 0, usage, finish: "stop" });
    if (world.journals) report("goes on from a summary", null, { type: "run.compacted", usage, called: true });
    // A step that ends clears the losses in a row, and does nothing else: without losses to come nobody could tell.
    if (world.journals || (member.snapshot.context.losses > 0 && world.wants("lost")))
      report("ends its step", null, { type: "step.ended" });
    if (world.journals && world.wants("message")) addOwnMessages(run);
    report("ends its turn", null, { type: "turn.ended", finish: "stop" });
    report("delivers", null, { type: "run.completed" });
    if (world.wants("outcomes"))
      report("is put off by its provider", "outcomes", { type: "run.erred", reason: "overloaded", retryInMs: 1 });
  }
  for (const [index, call] of calls.entries()) addCommands(run, call, index);
}

/** A function agent writes without a call of a tool: its commands have a key of their own. */
function addOwnMessages(run: Run): void {
  const { token } = run.member;
  addMessages(run, `${token}:own`, (text) => `${text} by itself`);
}

/** A call sends one command at most, and none once it has to do with somebody outside. */
function addCommands(run: Run, call: string, index: number): void {
  const { world, member, report } = run;
  if (member.run.remembered.some((each) => each.call === call)) return;
  const called = (text: string): string => numbered(text, index);
  const asker = { actor: member.token, run: member.run, call };
  addOutsideAsks(world, asker, (name, budget, event) => report(called(name), budget, event));
  if (!isOutside(world.session, member.token, call)) addCommandMoves(run, call, called);
  if (world.hooks && world.wants("hook")) addHookRefusals(world, member, call, index);
}

/** The first call id that is not in use. */
function freeCall({ token, run }: MemberRecord): string {
  for (let index = 1; ; index++) {
    const call = `${token}:${index}`;
    if (!run.calls.includes(call)) return call;
  }
}

function addCommandMoves(run: Run, call: string, called: (text: string) => string): void {
  const { world, member, command } = run;
  command(called("completes"), null, call, { type: "work.complete" });
  const { requirePlan, planned } = member.snapshot.context;
  if (requirePlan && !planned) command(called("submits its plan"), null, call, { type: "plan.submit" });
  if (world.wants("permission")) {
    const ask: InputEvent = { type: "permission.ask", kind: "tool", tool: "tool", subject: "s", approver: "user" };
    command(called("asks for a permission"), "permission", call, ask);
    if (world.session.config?.lead === "hosted")
      command(called("asks Lead for a permission"), "permission", call, { ...ask, approver: "lead" });
  }
  if (world.wants("message")) addMessages(run, call, called);
  if (world.wants("task")) {
    const actor = world.session.team?.token ?? "session";
    const key = { call, run: member.snapshot.context.run };
    addMemberBoardMoves(world, member, (what, event, plan) => {
      const input = { actor, from: member.token, event, command: key, ...(plan && { plan }) };
      world.add(called(`${inMove(member.name)} ${what}`), "task", input);
    });
  }
  // Only the Lead and the user may; these must change nothing.
  if (world.wants("replan")) {
    const { name } = member;
    const plan = ReplanSpec.parse({ cancel: [name] });
    const event: InputEvent = { type: "team.replan", plan: "plan", byModel: false };
    const key = { call, run: member.snapshot.context.run };
    const input = { actor: world.session.team?.token ?? "session", from: member.token, event, command: key, plan };
    world.add(called(`${inMove(name)} tries to replan`), "replan", input);
  }
  if (world.wants("invite")) {
    const key = { call, run: member.snapshot.context.run };
    const tries = (text: string): string =>
      called(`${inMove(member.name)} tries to ${text.replace("invites", "invite")}`);
    addInvitationsBy(world, { from: member.token, command: key, called: tries });
  }
  if (world.wants("dissolve"))
    command(called("tries to dissolve the team"), "dissolve", call, { type: "team.dissolve", mode: "abort" });
}

function addMessages({ world, member, command }: Run, call: string, called: (text: string) => string): void {
  const send = (to: string): InputEvent => ({ type: "message.send", to, kind: "text", bytes: 1 });
  for (const other of membersInOrder(world.session))
    if (other !== member) command(called(`writes to ${inMove(other.name)}`), "message", call, send(other.name));
  command(called("writes to Lead"), "message", call, send("Lead"));
  command(called("writes to all"), "message", call, send("*"));
}
