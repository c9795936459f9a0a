import { expect, test } from "vitest";
import type { AgentSource, FunctionRun } from "../../../src/index.ts";
import { gate, member, one, rejection, settle, startSystem } from "../../support/sessions.ts";

const waiter: AgentSource = { run: () => new Promise<never>(() => {}) };
const fine: AgentSource = {
  run: ({ name, upstream }: FunctionRun) => ({ summary: `${name}(${upstream.map((each) => each.summary).join()})` }),
};
const broken: AgentSource = { run: () => Promise.reject(new Error("no disk")) };
const agents = { waiter, fine, broken };
const as = (agentType: string, more: object = {}) => ({ agentType, ...more });

async function start(
  members: readonly ReturnType<typeof one<string>>[],
  options: Parameters<typeof startSystem>[0] = {},
) {
  const tests = await startSystem({ agents, ...options });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members });
  await settle();
  return { ...tests, session, team };
}
const statuses = (session: Parameters<typeof member>[0]) =>
  Object.fromEntries(session.status().members.map(({ name, status }) => [name, status]));

test("U34, graph row 13: a failure blocks its own branch alone, with the reason; a replacement unblocks it", async () => {
  const { session, team, system } = await start([
    one("A", as("broken")),
    one("B", as("fine", { dependsOn: ["A", "C"] })),
    one("C", as("fine")),
    one("D", as("fine", { dependsOn: ["C"] })),
  ]);
  expect(await team.finished()).toMatchObject({ state: "stalled", outcome: "failed" });
  expect(statuses(session)).toEqual({ A: "failed", B: "blocked", C: "completed", D: "completed" });
  expect(member(session, "A").reason).toBe("tool_error: no disk");
  expect(member(session, "B").waitingOn).toEqual(["A"]);
  const replanned = await team.replan({ add: [{ name: "A2", prompt: "p", agentType: "fine", replaces: "A" }] });
  expect(replanned).toEqual({
    revision: 2,
    cancelled: ["A"],
    retried: [],
    added: ["A2"],
    stillBlocked: ["B"],
    stranded: [],
  });
  expect(await team.finished()).toMatchObject({ state: "finished" });
  expect(member(session, "B")).toMatchObject({ summary: "B(A2(),C())", dependsOn: ["A2", "C"] });
  expect(member(session, "A")).toMatchObject({ status: "cancelled", replacedBy: "A2", reason: "tool_error: no disk" });
  await system.close();
});

test("graph row 1: behind a cancelled upstream a join stays blocked, visibly, and the team is not finished", async () => {
  const { session, team, system } = await start([
    one("A", as("fine")),
    one("B", as("waiter")),
    one("C", as("fine", { dependsOn: ["A", "B"] })),
    one("D", as("fine", { dependsOn: ["C"] })),
  ]);
  const replanned = await session.replan({ cancel: ["B"] });
  expect(replanned).toMatchObject({ cancelled: ["B"], stillBlocked: ["C", "D"], stranded: ["C", "D"] });
  expect(await team.finished()).toMatchObject({ state: "stalled" });
  expect(member(session, "C").waitingOn).toEqual(["B"]);
  expect(await session.dissolve()).toEqual({ outcome: "failed", cancelled: ["C", "D"] });
  await system.close();
});

test("graph row 3: a slow sibling delays nobody but those who depend on it", async () => {
  const slow = gate();
  const { session, team, system } = await start(
    [
      one("A", as("fine")),
      one("B", as("slow", { dependsOn: ["A"] })),
      one("C", as("fine", { dependsOn: ["A"] })),
      one("D", as("fine", { dependsOn: ["C"] })),
      one("E", as("fine", { dependsOn: ["B", "D"] })),
    ],
    {
      agents: {
        ...agents,
        slow: {
          run: async () => {
            await slow.promise;
            return { summary: "b" };
          },
        },
      },
    },
  );
  expect(statuses(session)).toEqual({ A: "completed", B: "in_progress", C: "completed", D: "completed", E: "blocked" });
  slow.resolve();
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  await system.close();
});

test("U36: a factory that throws, or makes no agent, has failed its member before createTeam resolves; the others go on", async () => {
  const odd: Record<string, AgentSource> = {
    throws: () => {
      throw new Error("no licence");
    },
    promises: (async () => ({})) as never,
    nothing: (() => undefined) as never,
    unnamed: { model: "nowhere/model" },
    keyless: { model: "openai/gpt" },
  };
  await using tests = await startSystem({ agents: { ...agents, ...odd } });
  const session = await tests.open();
  const names = Object.keys(odd);
  const team = await session.createTeam({
    name: "T",
    members: [...names.map((name) => one(name, as(name))), one("Good", as("waiter"))],
  });
  for (const name of names) {
    expect(member(session, name)).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/^(?:tool|model)_error: ./) as string,
    });
  }
  expect(member(session, "keyless").reason).toContain("OPENAI_API_KEY");
  expect(team.created.started).toHaveLength(names.length + 1);
  expect(member(session, "Good").status).toBe("in_progress");
});

test("U40, R14: a refused replan or dissolve changes nothing and aborts nobody", async () => {
  let aborted = 0;
  const { session, system } = await start([one("A", as("it")), one("B", as("fine"))], {
    agents: {
      ...agents,
      it: {
        run: ({ signal }: FunctionRun) => {
          signal.addEventListener("abort", () => (aborted += 1));
          return new Promise<never>(() => {});
        },
      },
    },
  });
  const before = session.status();
  const bad = [
    [{ cancel: ["A"], retry: [{ name: "B" }] }, "not_retryable"],
    [{ cancel: ["A", "Bbb"] }, "unknown_member"],
    [{ cancel: ["A", "B"] }, "not_cancellable"],
    [{ cancel: ["A"], add: [one("C", { dependsOn: ["C"] })] }, "cycle"],
    [{ cancel: ["A"], add: [one("B")] }, "name_collision"],
    [{ cancel: ["A"], rewire: [{ name: "B", dependsOn: [] }] }, "not_rewirable"],
    [{ cancel: ["A"], revision: 99 }, "stale_revision"],
    [{ cancel: "A" }, "bad_input"],
    [{ cancel: ["A"], extra: 1 }, "bad_input"],
  ] as const;
  for (const [spec, code] of bad) expect(await rejection(session.replan(spec as never))).toMatchObject({ code });
  expect(await rejection(session.dissolve({ mode: "softly" as never }))).toMatchObject({ code: "bad_input" });
  expect(await rejection(session.dissolve({ graceMs: -1 }))).toMatchObject({ code: "bad_input" });
  expect([session.status(), aborted]).toEqual([before, 0]);
  await system.close();
});

test("R5, R46: one running member is cancelled; its name is never used again in this team", async () => {
  const { session, system } = await start([one("A", as("waiter")), one("B", as("waiter"))]);
  await session.replan({ cancel: ["A"] });
  expect([statuses(session), session.alive.runs]).toEqual([{ A: "cancelled", B: "in_progress" }, 1]);
  expect(await rejection(session.replan({ add: [one("a", as("fine"))] }))).toMatchObject({ code: "name_collision" });
  await system.close();
});

test("a retry is a new attempt with a new prompt, and a stale plan that names the member is refused", async () => {
  const prompts: string[] = [];
  const { session, team, system } = await start([one("A", as("it"))], {
    agents: {
      it: {
        run: ({ prompt }: FunctionRun) => {
          prompts.push(prompt);
          if (prompts.length === 1) throw new Error("first");
          return { summary: "second" };
        },
      },
    },
  });
  await team.finished();
  await team.replan({ retry: [{ name: "A", prompt: "Better." }] });
  expect((await team.finished()).members[0]).toMatchObject({ status: "completed", attempt: 2, summary: "second" });
  expect(prompts).toEqual(["Task of A.", "Better."]);
  expect(await rejection(session.replan({ revision: 1, retry: [{ name: "A" }] }))).toMatchObject({
    code: "not_retryable",
  });
  await system.close();
});

test("U46: idle, failed and shut down look different, each with its age, and versions only grow", async () => {
  const { session, clock, system } = await start([
    one("Idle", as("fine", { lifetime: "persistent" })),
    one("Done", as("fine")),
    one("Bad", as("broken")),
    one("Run", as("waiter")),
  ]);
  const versions = [session.status().version];
  await clock.advance(5_000);
  await session.replan({ cancel: ["Run"] });
  versions.push(session.status().version);
  const look = (name: string) => {
    const { status, presence, since } = member(session, name);
    return [status, presence, clock.now() - since];
  };
  expect(look("Idle")).toEqual(["completed", "idle", 5_000]);
  expect(look("Done")).toEqual(["completed", "shutdown", 5_000]);
  expect(look("Bad")).toEqual(["failed", "parked", 5_000]);
  expect(look("Run")).toEqual(["cancelled", "shutdown", 0]);
  expect(versions[1]).toBeGreaterThan(versions[0] ?? Infinity);
  await system.close();
});

test("a team that was dissolved is not taken for the next one: its result is its own, or refused", async () => {
  const { session, team, system } = await start([one("A", as("waiter"))]);
  const waiting = team.finished();
  await session.dissolve({ mode: "abort" });
  expect(await waiting).toMatchObject({ team: "T", state: "dissolved" });
  const next = await session.createTeam({ name: "U", members: [one("B", as("fine"))] });
  expect(await next.finished()).toMatchObject({ team: "U", outcome: "completed" });
  expect(await rejection(team.finished())).toMatchObject({ code: "fenced" });
  await system.close();
});

test("without a team every command on one is refused with no_team", async () => {
  await using tests = await startSystem();
  const session = await tests.open();
  expect(await rejection(session.replan({}))).toMatchObject({ code: "no_team" });
  expect(await rejection(session.dissolve())).toMatchObject({ code: "no_team" });
  expect(await rejection(session.answerPlan("A", { approve: true }))).toMatchObject({ code: "unknown_member" });
  expect(session.status()).toMatchObject({ team: null, state: "none", members: [] });
});
