import type { InputEvent } from "../../protocol/input.ts";
import type { Budget } from "./budgets.ts";
import type { MoveInput, World } from "./move.ts";

const callId = "lead:1";

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
  if (session.polls.length > 0 || session.lead.questions.length > 0) return;
  const { turn } = facts.lead(snapshot);
  if (turn === "backing_off") report("tries again", null, { type: "run.retried", ...next });
  else if (run.calls.length > 0) addCallMoves(world, n);
  else if (session.lead.unread.length > 0) {
    // A host injects what is unread before every model call.
    report("reads", null, { type: "run.injected", ...next, mail: session.lead.unread.map((mail) => mail.id) });
  } else {
    const usage = { input: 0, output: 0 };
    if (world.journals) report("is answered", null, { type: "run.answered", ...next, calls: 0, usage, finish: "stop" });
    report("calls a tool", null, { type: "tool.started", ...next, call: callId, tool: "tool" });
    if (world.journals || snapshot.context.losses > 0) report("ends its step", null, { type: "step.ended", ...next });
    report("ends its turn", null, { type: "turn.ended", ...next, finish: "stop" });
    const erred: InputEvent = { type: "run.erred", ...next, reason: "overloaded", retryInMs: 1 };
    if (wants("outcomes")) report("is put off by its provider", "outcomes", erred);
  }
}

function addCallMoves({ session, add, wants }: World, n: number): void {
  const { run } = session.lead;
  for (const call of run.calls) {
    const ended: InputEvent = { type: "tool.ended", run: n, k: run.k + 1, call, verdict: "ok" };
    add("Lead ends its call", null, { actor: "lead", from: "lead", event: ended });
    if (run.remembered.some((each) => each.call === call)) continue;
    const command = { call, run: n };
    const status: InputEvent = { type: "team.status", since: session.notableVersion };
    add("Lead waits for news", null, { actor: "lead", from: "lead", event: status, command });
    const ask: InputEvent = { type: "question.ask" };
    if (wants("permission"))
      add("Lead asks the user", "permission", { actor: "lead", from: "lead", event: ask, command });
  }
}
