import { expect, test } from "vitest";
import { defineAgent, type FunctionRun, type ReceivedMail } from "../../../src/index.ts";
import { gate, rejects, member, one, settle, startSystem, until } from "../../support/sessions.ts";

test("a function member delivers what it returns, and its downstream gets it", async () => {
  await using tests = await startSystem({
    agents: {
      first: { run: () => ({ summary: "found", paths: ["a.md"] }) },
      second: { run: ({ upstream }: FunctionRun) => ({ summary: JSON.stringify(upstream) }) },
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "first" }), one("B", { agentType: "second", dependsOn: ["A"] })],
  });
  const { outcome, members } = await team.finished();
  expect(outcome).toBe("completed");
  expect(JSON.parse(members[1]?.summary ?? "")).toEqual([{ name: "A", summary: "found", paths: ["a.md"] }]);
});

test("two readers of one mailbox get a message each", async () => {
  await using tests = await startSystem({
    agents: {
      reader: {
        run: async ({ mail }: FunctionRun) => {
          const got = await Promise.all([mail.next(), mail.next()]);
          return { summary: got.map((each) => each.content).join("+") };
        },
      },
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "reader" })] });
  await settle();
  await session.sendMessage({ to: "A", content: "one" });
  await settle();
  await session.sendMessage({ to: "A", content: "two" });
  expect((await team.finished()).members[0]?.summary).toBe("one+two");
});

test("G4: a message that a run did not take is not lost with it: the next turn gets it", async () => {
  const seen: string[] = [];
  const start = gate();
  await using tests = await startSystem({
    agents: {
      reader: {
        run: async ({ mail }: FunctionRun) => {
          await start.promise;
          seen.push((await mail.next()).content);
          return { summary: "took one" };
        },
      },
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "reader", lifetime: "persistent" })],
  });
  for (const content of ["one", "two", "three"]) await session.sendMessage({ to: "A", content });
  start.resolve();
  await team.finished();
  await until(() => seen.length === 3, "all three to be read");
  expect(seen).toEqual(["one", "two", "three"]);
  await settle();
  expect(member(session, "A")).toMatchObject({ presence: "idle", unread: 0 });
  expect(session.status().messages).toEqual({ accepted: 3, delivered: 3, deadLettered: 0, unread: 0, refused: 0 });
});

test("take gives everything unread at once, in order", async () => {
  const start = gate();
  await using tests = await startSystem({
    agents: {
      reader: {
        run: async ({ mail }: FunctionRun) => {
          await start.promise;
          const all: readonly ReceivedMail[] = await mail.take();
          return { summary: all.map(({ from, kind, content }) => `${from}:${kind}:${content}`).join(" ") };
        },
      },
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "reader" })] });
  await session.sendMessage({ to: "A", content: "x" });
  await session.sendMessage({ to: "A", content: "y", kind: "instruction" });
  start.resolve();
  expect((await team.finished()).members[0]?.summary).toBe("Lead:text:x Lead:instruction:y");
});

const hostile = {
  "a text": () => "done",
  "a number": () => 7,
  null: () => null,
  "a summary that is none": () => ({ summary: 7 }),
  "a circular value": () => {
    const value: Record<string, unknown> = {};
    return Object.assign(value, { summary: value });
  },
  "a BigInt": () => ({ summary: 1n }),
  "paths with a hole": () => ({ summary: "s", paths: [undefined] }),
  "a getter that throws": () => ({
    get summary() {
      throw new Error("no summary for you");
    },
  }),
  "a summary of 5 kB": () => ({ summary: "x".repeat(5_000) }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
};

test.each(Object.entries(hostile))("a function that returns %s fails that member alone", async (_what, run) => {
  await using tests = await startSystem({
    agents: { bad: { run: run as never }, good: defineAgent({ run: () => ({ summary: "fine" }) }) },
  });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "bad" }), one("B", { agentType: "good" })],
  });
  await team.finished();
  expect(member(session, "A")).toMatchObject({
    status: "failed",
    reason: expect.stringMatching(/^tool_error: ./) as string,
  });
  expect(member(session, "B")).toMatchObject({ status: "completed", summary: "fine" });
  expect(tests.faults).toEqual([]);
});

const throwers = {
  "an error": () => {
    throw new Error("boom");
  },
  undefined: () => {
    throw undefined as unknown;
  },
  "an object without a text": () => {
    throw Object.create(null);
  },
  "an error whose message throws": () => {
    throw Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("y");
      },
    });
  },
  "a rejection": () => Promise.reject(new Error("later")),
};

test.each(Object.entries(throwers))("a function that throws %s fails with a reason", async (_what, run) => {
  await using tests = await startSystem({ agents: { bad: { run } } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "bad" })] });
  expect(await team.finished()).toMatchObject({ state: "stalled", outcome: "failed" });
  expect(member(session, "A").reason).toMatch(/^tool_error: ./);
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
});

test("a listener of a run's signal that throws does not end the process, and the others are told", async () => {
  const told: string[] = [];
  await using tests = await startSystem({
    agents: {
      rude: {
        run: ({ signal }: FunctionRun) => {
          signal.addEventListener("abort", () => {
            throw new Error("rude listener");
          });
          signal.addEventListener("abort", rejects);
          signal.addEventListener("abort", { handleEvent: () => void told.push("object") });
          const gone = (): void => void told.push("removed");
          signal.addEventListener("abort", gone);
          signal.removeEventListener("abort", gone);
          // oxlint-disable-next-line unicorn/prefer-add-event-listener -- what is set this way is guarded as well
          signal.onabort = () => {
            told.push("onabort");
            throw new Error("rude handler");
          };
          return new Promise<never>(() => {});
        },
      },
    },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "rude" })] });
  await session.dissolve({ mode: "abort" });
  await settle();
  expect(told).toEqual(["object", "onabort"]);
  expect(tests.faults).toHaveLength(3);
});

test("R52: a function that a factory makes delivers nothing where a plan is required: its member fails, and says why", async () => {
  let runs = 0;
  const counter = () => ({ run: () => ({ summary: `${++runs}` }) });
  await using tests = await startSystem({ agents: { counter } });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A", { agentType: "counter", requirePlan: true })],
  });
  expect(await team.finished()).toMatchObject({ outcome: "failed" });
  expect(member(session, "A").reason).toContain("plan approval of counter, a function, is off");
  expect(runs).toBe(0);
});
