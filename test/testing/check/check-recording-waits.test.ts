import { generateText, isStepCount } from "ai";
import { test } from "vitest";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import type { Bus } from "../../../src/bus/bus.ts";
import type { FunctionRun, Session } from "../../../src/index.ts";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { call, complete, member, one, settle, until } from "../../support/sessions.ts";
import { expectPath, type RecordedCase } from "./expect-path.ts";

/** Sessions in which somebody waits, for whom nobody may come: run for real and held against the model. */

const agents = {
  teller: { run: async ({ send }: FunctionRun) => void (await send("Lead", "hello")) },
  waits: { run: () => new Promise<never>(() => {}) },
} as const;

const write = (path: string) => call("write_file", { path, text: "new" });
const isAsked = (session: Session) => (): boolean => session.permissionRequests().length > 0;
const answer = (session: Session, approve: boolean): Promise<unknown> =>
  session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve });

/** Appends an input as somebody who does not know that the session is closed. */
async function sayLate(bus: Bus, session: Session, actor: string, from: string, event: InputEvent): Promise<void> {
  const input = { id: `late-${event.type}`, at: 0, actor, from, epoch: session.state.epoch, event };
  await bus.append({ subject: { namespace: "default", session: session.id, actor, sender: from }, input });
}

const cases: Readonly<Record<string, RecordedCase>> = {
  "a lead with a loop of its own, which reads its mail and waits for news": {
    system: { agents },
    open: { lead: "own" },
    run: async (session, { clock }) => {
      const model = scriptedModel([
        call("team_create", {
          name: "T",
          members: [one("A", { agentType: "teller" }), one("B", { agentType: "waits" })],
        }),
        call("team_send_message", { to: "B", content: "how far?" }),
        call("team_status", { since: 999 }),
        call("team_replan", { cancel: ["B"] }),
        { text: "over" },
      ]);
      const { tools, prepareStep } = session;
      const ended = generateText({ model, prompt: "Go.", tools, prepareStep, stopWhen: isStepCount(20) });
      await until(() => clock.pending > 0);
      await clock.advance(60_000);
      await ended;
    },
    path: ["A writes to Lead by itself", "user writes to B", "the poll of Lead times out", "a replan cancels B"],
    beyond: ["Lead reads 1 messages", "Lead waits for news"],
  },
  "permission requests that are approved, denied and timed out": {
    system: {
      script: { A: [write("a.md"), write("b.md"), write("c.md"), complete("a")] },
      permissions: {},
      limits: { permissionMs: 5_000 },
    },
    run: async (session, { clock }) => {
      const team = await session.createTeam({ name: "T", members: [one("A")] });
      for (const approve of [true, false]) {
        await until(isAsked(session));
        await answer(session, approve);
        await until(() => !isAsked(session)());
      }
      await until(isAsked(session));
      await clock.advance(5_000);
      await team.finished();
    },
    path: ["the request of A is approved", "the request of A is denied", "the request of A times out"],
    // It is asked before the call is started, so by a call that is not open: no check has that.
    beyond: ["A asks for a permission: tool, user"],
  },
  "a hosted lead whose wait for news times out": {
    system: {
      agents,
      script: {
        Lead: [
          call("team_create", { name: "T", members: [one("A", { agentType: "waits" })] }),
          call("team_status", { since: 999 }),
          { text: "still at work" },
        ],
      },
    },
    open: { lead: {} },
    run: async (session, { clock }) => {
      const said = session.send("Go.");
      await until(() => clock.pending > 0);
      await clock.advance(60_000);
      await said;
    },
    path: ["Lead waits for news", "the poll of Lead times out", "Lead ends its turn"],
  },
  "inputs that come when the session is closed": {
    system: { agents },
    run: async (session, _, bus) => {
      await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
      await settle();
      const late = (actor: string, from: string, event: InputEvent) => sayLate(bus, session, actor, from, event);
      await late("session", "system", { type: "session.closed" });
      await late("A-t1", "user", { type: "message.send", to: "A", kind: "text", bytes: 1 });
      await late("A-t1", "A-t1", { type: "run.completed", run: 1, k: 1 });
      await late("A-t1", "system", { type: "run.lost", run: 1, reason: "node gone" });
      await late("session", "system", { type: "timer.due", key: "grace", generation: 1, epoch: 1 });
      await late("session", "system", { type: "owner.claimed", epoch: 2, node: "other" });
      await late("team-1", "user", { type: "team.dissolve", mode: "graceful" });
      await settle();
    },
    path: ["the session is closed"],
    beyond: [
      'user sends 1 bytes to "A"',
      "A reports too late: run.completed",
      "the run of A is lost too late",
      "a timer fires too late: grace",
      "the owner changes",
      "user dissolves the team",
    ],
  },
  "plans that nobody answers before the member is cancelled": {
    system: { script: { A: [call("submit_plan", { plan: "one" })] } },
    run: async (session) => {
      await session.createTeam({ name: "T", members: [one("A", { requirePlan: true })] });
      await until(() => member(session, "A").activity === "waiting_plan_approval");
      await session.replan({ cancel: ["A"] });
      await settle();
    },
    path: ["A submits its plan", "a replan cancels A"],
  },
  "a persistent member that is tried again after it has completed": {
    system: { agents, script: { A: [complete("one"), complete("two")] } },
    run: async (session) => {
      await session.createTeam({
        name: "T",
        members: [one("A", { lifetime: "persistent" }), one("B", { dependsOn: ["A"], agentType: "waits" })],
      });
      await until(() => member(session, "A").status === "completed");
      await session.replan({ retry: [{ name: "A" }] });
      await until(() => member(session, "A").attempt === 2 && member(session, "A").status === "completed");
    },
    path: ["A completes", "a replan retries A"],
  },
};

test.each(Object.entries(cases))("%s: a path of the model", (_, recorded) => expectPath(recorded));
