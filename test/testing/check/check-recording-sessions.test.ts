import { test } from "vitest";
import type { ScriptEntryInput, ScriptInput } from "../../../src/protocol/script.ts";
import { loseRun } from "../../support/lose-run.ts";
import { call, complete, member, one, rejection, settle, until } from "../../support/sessions.ts";
import { expectPath, type RecordedCase } from "./expect-path.ts";

/** Sessions of every kind, run for real and held against the model. */

const agents = {
  done: { run: async () => ({ summary: "done" }) },
  waits: { run: () => new Promise<never>(() => {}) },
  fails: { run: () => Promise.reject(new Error("no disk")) },
} as const;
const as = (agentType: keyof typeof agents, more: object = {}) => ({ agentType, ...more });

type Steps = readonly ScriptEntryInput[];

const lead = (...more: Steps): ScriptInput => ({
  Lead: [call("team_create", { name: "T", members: [one("A"), one("B", { dependsOn: ["A"] })] }), ...more],
  A: [complete("a")],
  B: [complete("b")],
});

const cases: Readonly<Record<string, RecordedCase>> = {
  "a hosted lead that writes, replans and dissolves": {
    system: {
      script: lead(
        call("team_send_message", { to: "A", content: "go" }),
        call("team_send_message", { to: "nobody", content: "go" }),
        call("team_replan", { add: [{ name: "C", prompt: "c", dependsOn: ["B"] }], cancel: ["D"] }),
        call("team_replan", { add: [{ name: "C", prompt: "c", dependsOn: ["B"] }] }),
        call("team_create", { name: "U", members: [one("X")] }),
        call("team_status"),
        call("team_dissolve", { mode: "abort" }),
        { text: "over" },
      ),
    },
    open: { lead: {} },
    run: (session) => session.send("Go."),
    path: ["user prompts Lead", "Lead writes to A", "Lead aborts the team", "Lead ends its turn"],
    beyond: [
      "Lead creates a team of A, B",
      'Lead sends 2 bytes to "nobody"',
      "Lead replans: cancels D, adds C behind B",
      "Lead replans: adds C behind B",
      "Lead creates a team of X",
    ],
  },
  "commands of the host that are refused": {
    system: { agents, limits: { messageBytesMax: 10, unreadMessagesMax: 2 } },
    run: async (session) => {
      await rejection(session.replan({ cancel: ["A"] }));
      await session.createTeam({ name: "T", members: [one("A", as("waits")), one("B", as("waits"))] });
      await rejection(session.createTeam({ name: "U", members: [one("X", as("done"))] }));
      await rejection(session.sendMessage({ to: "Bbo", content: "hi" }));
      await rejection(session.sendMessage({ to: "A", content: "much too long a text" }));
      for (const content of ["1", "2"]) await session.sendMessage({ to: "A", content });
      await rejection(session.sendMessage({ to: "A", content: "3" }));
      await rejection(session.replan({ cancel: ["A"], retry: [{ name: "B" }] }));
      await session.replan({ cancel: ["A"], add: [{ name: "C", prompt: "c", agentType: "done", replaces: "A" }] });
      await rejection(session.replan({ revision: 1, cancel: ["A"] }));
      await rejection(session.answerPermission("none", { approve: true }));
    },
    path: ["user writes to A", "an old request is approved"],
    beyond: [
      "a replan cancels A, retries B",
      "a replan cancels A, adds C for A",
      'Lead sends 20 bytes to "A"',
      'Lead sends 2 bytes to "Bbo"',
      "Lead creates a team of X",
    ],
  },
  "a dissolve in each mode, and several teams in a row": {
    system: { agents },
    run: async (session, { clock }) => {
      const members = [one("A", as("waits")), one("B", as("done", { dependsOn: ["A"] }))];
      await session.createTeam({ name: "T", members });
      await session.dissolve({ mode: "abort" });
      await session.createTeam({ name: "U", members });
      const over = session.dissolve({ mode: "graceful" });
      await until(() => clock.pending > 0);
      await clock.advance(20_000);
      await over;
      await session.createTeam({ name: "V", members: [one("A", as("done"))] });
      await session.dissolve();
    },
    path: ["the team is aborted", "the team is dissolved"],
  },
  "runs that are lost, with the third in a row": {
    system: { agents },
    run: async (session, _, bus) => {
      await session.createTeam({ name: "T", members: [one("A", as("waits"))] });
      for (let loss = 1; loss <= 3; loss++) {
        await settle();
        await loseRun(bus, session, "A-t1");
      }
      await until(() => member(session, "A").status === "failed");
    },
    path: ["the run of A is lost"],
  },
  "a question, a failure of the provider and a retry": {
    system: {
      script: {
        Lead: [
          { error: "overloaded" },
          call("team_create", { name: "T", members: [one("A")] }),
          { waitFor: { A: "failed" } },
          { text: "it failed" },
        ],
        A: [{ error: "context_length" }],
      },
    },
    open: { lead: {} },
    run: async (session, { clock }) => {
      const said = session.send("Go.");
      await until(() => clock.pending > 0);
      await clock.advance(60_000);
      await said;
    },
    path: ["Lead is put off by its provider", "Lead tries again", "A fails", "Lead ends its turn"],
  },
  "a plan that is rejected first, and idle members that are woken and shut down": {
    system: {
      script: {
        A: [
          call("submit_plan", { plan: "one" }),
          call("submit_plan", { plan: "two" }),
          complete("a"),
          { text: "heard" },
        ],
      },
    },
    run: async (session) => {
      await session.createTeam({ name: "T", members: [one("A", { requirePlan: true, lifetime: "persistent" })] });
      const waits = () => member(session, "A").activity === "waiting_plan_approval";
      await until(waits);
      await session.answerPlan("A", { approve: false, feedback: "no" });
      await until(() => !waits());
      await until(waits);
      await session.answerPlan("A", { approve: true });
      await until(() => member(session, "A").status === "completed");
      await session.sendMessage({ to: "A", content: "more?" });
      await settle(60);
      await session.replan({ shutdown: ["A"] }).catch(() => {});
    },
    path: ["A submits its plan", "the plan of A is rejected", "the plan of A is approved", "A completes"],
  },
  "a storm of mail between persistent members": {
    system: {
      script: {
        A: [
          call("team_send_message", { to: "B", content: "1" }),
          call("team_send_message", { to: "broadcast", content: "2" }),
          complete("a"),
          { text: "ok" },
        ],
        B: [
          call("team_send_message", { to: "A", content: "1" }),
          call("team_send_message", { to: "broadcast", content: "2" }),
          complete("b"),
          { text: "ok" },
        ],
      },
      limits: { hopsMax: 2, broadcastsMax: 1 },
    },
    run: async (session) => {
      const persistent = { lifetime: "persistent" };
      const team = await session.createTeam({ name: "T", members: [one("A", persistent), one("B", persistent)] });
      await team.finished();
      await settle(60);
    },
    path: ["A writes to B", "A writes to all", "B writes to A", "B writes to all"],
  },
  "members that are asked to shut down, refuse, are interrupted and acknowledge": {
    system: {
      script: {
        A: [
          call("team_mail", { acknowledge: ["m1"] }),
          complete("a"),
          call("shutdown_reply", { accept: false, reason: "not yet" }),
          { text: "I wait" },
          call("shutdown_reply", { accept: true }),
        ],
        B: [{ hang: true }],
      },
    },
    run: async (session) => {
      const persistent = { lifetime: "persistent" };
      await session.createTeam({
        name: "T",
        members: [one("A", { ...persistent, dependsOn: ["C"] }), one("B"), one("C")],
      });
      await session.sendMessage({ to: "A", content: "for later" });
      await session.replan({ rewire: [{ name: "A", dependsOn: [] }], cancel: ["C"] });
      await until(() => member(session, "A").presence === "idle" && member(session, "B").activity === "thinking");
      await rejection(session.interrupt("A"));
      await session.interrupt("B", { reason: "enough" });
      await session.replan({ shutdown: ["A"] });
      await until(() => member(session, "A").presence === "idle");
      await session.replan({ shutdown: ["A"] });
      await until(() => member(session, "A").presence === "shutdown");
    },
    path: ["user interrupts B", "a replan shuts A down", "A refuses to shut down", "A agrees to shut down"],
    beyond: ["A acknowledges 1 messages"],
  },
};

test.each(Object.entries(cases))("%s: a path of the model", (_, recorded) => expectPath(recorded));
