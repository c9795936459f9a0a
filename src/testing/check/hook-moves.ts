import type { MemberRecord } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import type { Plan } from "../../protocol/plan.ts";
import { TaskSpec } from "../../protocol/task.ts";
import { inMove, numbered } from "./move-name.ts";
import type { MoveInput, World } from "./move.ts";

/** What hooks of the host may say: no to what a run delivers, writes, adds and rests on, to all of it, and to the host. */

const feedback = "f";

/** The hooks' words to what a run does between its calls. */
export function addHookMoves({ facts, add }: World, member: MemberRecord): void {
  const { token, run, snapshot, lifetime } = member;
  const { work, activity } = facts.member(snapshot);
  const next = { run: snapshot.context.run, k: run.k + 1 };
  const report = (name: string, event: InputEvent): void =>
    add(`${inMove(member.name)} ${name}`, "hook", { actor: token, from: token, event });
  const [idle, complete] = [{ on: "idle", feedback } as const, { on: "complete", feedback } as const];
  const keeps = "and a hook keeps it from idling";
  const reason = "interrupted: stopped by a hook";
  report("is stopped by a hook", { type: "run.failed", ...next, reason, stop: true });
  if (run.calls.length > 0 || activity === "backing_off") return;
  const isPersistent = lifetime === "persistent";
  if (activity === "completing") {
    if (isPersistent) report(`ends its step, ${keeps}`, { type: "step.ended", ...next, hook: idle });
    return;
  }
  if (isPersistent) {
    report(`ends its turn, ${keeps}`, { type: "turn.ended", ...next, finish: "stop", hook: idle });
    report(`delivers, ${keeps}`, { type: "run.completed", ...next, hook: idle });
  }
  if (work === "in_progress")
    report("delivers, and a hook says no", { type: "run.completed", ...next, hook: complete });
}

/** The hooks' words to what a run does by a call: it is refused, and nothing else happens. */
export function addHookRefusals({ session, add }: World, member: MemberRecord, call: string, index: number): void {
  const { token, snapshot } = member;
  const command = { call, run: snapshot.context.run };
  const refuse = (name: string, actor: string, event: InputEvent, plan?: Plan): void =>
    add(numbered(`${inMove(member.name)} ${name}, and a hook says no`, index), "hook", {
      actor,
      from: token,
      event,
      command,
      ...(plan && { plan }),
    });
  refuse("completes", token, { type: "work.complete", hook: { feedback } });
  const letter = { type: "message.send", to: "Lead", kind: "text", bytes: 1, hook: { feedback } } as const;
  refuse("writes to Lead", "lead", letter);
  const { team } = session;
  if (team !== null && team.board !== null) refuse("adds a task", team.token, refusedTask, aTask);
}

const aTask = TaskSpec.parse({ subject: "task" });
const refusedTask: InputEvent = { type: "task.add", plan: "plan", hook: { feedback } };

/** A task that hooks don't let the host add, or the Lead by an open call. */
export function addRefusedTask({ session, hooks, add }: World, name: string, input: Omit<MoveInput, "event">): void {
  if (!hooks || (session.team?.board ?? null) === null) return;
  add(`${name}, and a hook says no`, "hook", { ...input, event: refusedTask, plan: aTask });
}
