import { tool } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryBus } from "../../../src/bus/memory.ts";
import { defineAgent, type Session, type TeamError } from "../../../src/index.ts";
import {
  anyInput,
  call,
  complete,
  gate,
  member,
  one,
  rejection,
  settle,
  startSystem,
  until,
} from "../../support/sessions.ts";

const waiter = { run: () => new Promise<never>(() => {}) };
const agents = { it: waiter, "code-reviewer": waiter };
const team = (...members: object[]) => ({ name: "T", members: members as ReturnType<typeof one>[] });

/** Creates a team that is refused, and proves that nothing of it is left. */
async function refused(declaration: unknown, lead?: "own"): Promise<TeamError> {
  const bus = memoryBus();
  await using tests = await startSystem({ bus, agents, limits: { membersMax: 20 } });
  const session = await tests.open({ id: "s", ...(lead === undefined ? {} : { lead }) });
  const before = session.status();
  const error = await rejection(session.createTeam(declaration as never));
  await settle();
  expect(session.status()).toEqual(before);
  expect([session.alive, tests.clock.pending, tests.faults]).toEqual([{ runs: 0, timers: 0 }, 0, []]);
  const stored = await bus.read({ namespace: "default", session: "s" }, { fromSeq: 0 });
  expect(stored.filter(({ subject }) => subject.actor !== "session")).toEqual([]);
  const again = await session.createTeam(team(one("A", { agentType: "it" })));
  expect(again.created).toEqual({ team: "T", revision: 1, started: ["A"], blocked: [] });
  return error as TeamError;
}

test.each([
  ["a member that depends on itself", [one("A", { dependsOn: ["A"] })], ["A", "A"]],
  ["two that depend on each other", [one("A", { dependsOn: ["B"] }), one("B", { dependsOn: ["A"] })], ["A", "B", "A"]],
  [
    "a circle of three behind another member",
    [one("X"), one("A", { dependsOn: ["C", "X"] }), one("B", { dependsOn: ["A"] }), one("C", { dependsOn: ["B"] })],
    ["A", "B", "C", "A"],
  ],
])("U01: %s is refused with the path, and nothing is created", async (_what, members, path) => {
  expect(await refused(team(...members))).toMatchObject({ code: "cycle", data: { path } });
});

test("U03: an unknown dependency is refused with the nearest name", async () => {
  expect(await refused(team(one("Ann"), one("Bob", { dependsOn: ["Anm"] })))).toMatchObject({
    code: "unknown_dependency",
    data: { member: "Bob", dependency: "Anm", known: ["Ann", "Bob"], nearest: "Ann" },
  });
});

test("U04, R67: a team of nobody is refused", async () => {
  expect(await refused(team())).toMatchObject({ code: "empty_team" });
});

test("R2: every fault of a declaration is told at once", async () => {
  const error = await refused(
    team(one("A", { dependsOn: ["Z"] }), one("Lead"), one("A"), one("B", { agentType: "nope" }), one("")),
  );
  expect(error.problems.map(({ code }) => code).toSorted()).toEqual(
    ["bad_name", "name_collision", "reserved_name", "unknown_agent_type", "unknown_dependency"].toSorted(),
  );
});

test.each([
  ["A", "A"],
  ["Anna", "anna"],
  ["A B", "A-B"],
  ["é", "e\u0301"],
  ["ﬁ", "fi"],
])("U05, R4: %j and %j cannot be told apart and are refused", async (name, other) => {
  expect(await refused(team(one(name), one(other)))).toMatchObject({ code: "name_collision" });
});

test.each(["Lead", "lead", "LEAD", "team-lead", "Team", "broadcast", "ALL", "*", "user", "system", "session"])(
  "R6: %s is a name of the runtime and refused",
  async (name) => {
    expect(await refused(team(one(name)))).toMatchObject({ code: "reserved_name" });
  },
);

test.each(["", "---", "\t", "A\r\nB", "a\u0000b", "x".repeat(300), "\u2028"])(
  "U10, S17: the name %j is refused as no name",
  async (name) => {
    expect(await refused(team(one(name)))).toMatchObject({ code: "bad_name" });
  },
);

test.each(["a.b", "a*", "a>b", "A B", "..x", "a/b", "a\\b", "$SYS", "_INBOX", ">", "项目", "__proto__", "constructor"])(
  "U10, S17: %j is a name like any other: its mailbox sees its own mail and nobody else's",
  async (name) => {
    await using tests = await startSystem({ agents });
    const session = await tests.open();
    await session.createTeam(
      team(one(name, { agentType: "it" }), one("Other", { agentType: "it" }), one("a", { agentType: "it" })),
    );
    expect(await session.sendMessage({ to: name, content: "x" })).toMatchObject({ to: [{ name }] });
    expect(session.status().members.map(({ unread }) => unread)).toEqual([1, 0, 0]);
  },
);

test("U12: no dependsOn, an empty one, and a name given twice; an empty name is nobody", async () => {
  await using tests = await startSystem({ agents: { it: { run: () => ({}) } } });
  const session = await tests.open();
  const it = { agentType: "it" };
  const created = await session.createTeam(
    team(one("A", it), one("B", { ...it, dependsOn: [] }), one("C", { ...it, dependsOn: ["A", "A"] })),
  );
  expect(created.created).toMatchObject({ started: ["A", "B"], blocked: ["C"] });
  expect(member(session, "C").dependsOn).toEqual(["A"]);
  expect(await created.finished()).toMatchObject({ outcome: "completed" });
  expect(await refused(team(one("A", { dependsOn: [""] })))).toMatchObject({ code: "unknown_dependency" });
});

test("S21: limits hold at n and n + 1: members, bytes of a prompt", async () => {
  const many = (count: number) => team(...Array.from({ length: count }, (_, n) => one(`M${n}`, { agentType: "it" })));
  expect(await refused(many(21))).toMatchObject({ code: "too_many_members", data: { count: 21, membersMax: 20 } });
  expect(await refused(team({ name: "A", prompt: `${"é".repeat(16_384)}x` }))).toMatchObject({
    code: "prompt_too_large",
    data: { bytes: 32_769 },
  });
  await using tests = await startSystem({ agents, limits: { membersMax: 20 } });
  const session = await tests.open();
  expect((await session.createTeam(many(20))).created.started).toHaveLength(20);
  const other = await tests.open();
  await other.createTeam(team({ name: "A", prompt: "é".repeat(16_384), agentType: "it" }));
});

test("S20: a declaration is data: functions, prototypes, unknown keys and unknown types are refused", async () => {
  const bad = [
    { ...team(one("A")), run: () => 1 },
    team({ ...one("A"), agentType: () => "it" }),
    team({ ...one("A"), agentType: "__proto__" }),
    team({ ...one("A"), agentType: "constructor" }),
    team({ ...one("A"), tools: ["execute"] }),
    JSON.parse('{"name":"T","members":[{"name":"A","prompt":"p","__proto__":{"agentType":"it"}}]}') as object,
    null,
    7,
    "team",
    { name: "T" },
    { name: 7, members: [one("A")] },
    { ...team(one("A")), members: { length: 1, 0: one("A") } },
  ];
  for (const declaration of bad) {
    expect((await refused(declaration)).code).toMatch(/^(?:bad_input|unknown_agent_type)$/u);
  }
});

test("S20: whatever JSON is given as a team is refused with a code or accepted whole", async () => {
  await using tests = await startSystem({ agents: { general: waiter } });
  let session: Session = await tests.open();
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          name: fc.oneof(fc.string(), fc.jsonValue()),
          members: fc.oneof(
            fc.array(
              fc.record(
                { name: fc.string(), prompt: fc.string(), dependsOn: fc.array(fc.string()) },
                { requiredKeys: [] },
              ),
            ),
            fc.jsonValue(),
          ),
        },
        { requiredKeys: [] },
      ),
      async (declaration) => {
        const outcome = await session.createTeam(declaration as never).then(
          () => null,
          (error: unknown) => (error as TeamError).code,
        );
        if (outcome === null) {
          await session.close();
          session = await tests.open();
        } else expect(outcome).toMatch(/^[a-z_]+$/u);
        expect(session.alive).toEqual({ runs: 0, timers: 0 });
      },
    ),
    { numRuns: 150 },
  );
});

test("U14: sending to an agent type names its members", async () => {
  await using tests = await startSystem({ agents });
  const session = await tests.open();
  await session.createTeam(team(one("A", { agentType: "code-reviewer" }), one("B", { agentType: "it" })));
  expect(await rejection(session.sendMessage({ to: "code-reviewer", content: "x" }))).toMatchObject({
    code: "unknown_recipient",
    data: { ofType: ["A"] },
  });
});

test("G1, U45: no model is called for a member before its upstreams have completed, whatever it is sent", async () => {
  const slow = gate<string>();
  const wait = tool({ inputSchema: anyInput, execute: () => slow.promise });
  await using tests = await startSystem({
    script: { A: [complete()], B: [call("wait"), complete()], C: [call("team_status"), complete()] },
    agents: { worker: defineAgent({ model: "scripted", tools: { wait } }) },
  });
  const session = await tests.open();
  const seen: string[] = [];
  session.events$.subscribe(({ event, actor, status }) => {
    if (event.type === "run.answered" || status === "completed") seen.push(`${actor} ${event.type} ${status}`);
  });
  await session.createTeam(
    team(one("A"), one("B", { agentType: "worker" }), one("C", { lifetime: "persistent", dependsOn: ["A", "B"] })),
  );
  await until(() => session.status().members[0]?.status === "completed");
  await session.sendMessage({ to: "C", content: "Start now.", kind: "instruction" });
  await session.sendMessage({ to: "broadcast", content: "Everybody go." });
  await tests.clock.advance(60_000);
  expect(seen).toContain("B run.answered in_progress");
  expect(seen.filter((line) => line.startsWith("C"))).toEqual([]);
  slow.resolve("go on");
  await until(() => session.status().state === "finished");
  const [delivered, called] = ["B step.ended completed", "C run.answered in_progress"].map((line) =>
    seen.indexOf(line),
  );
  expect(delivered).toBeGreaterThan(0);
  expect(called).toBeGreaterThan(delivered ?? Infinity);
  expect(seen.filter((line) => / run\.answered (?!in_progress)/.test(line))).toEqual([]);
});
