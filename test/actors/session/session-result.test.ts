import { expect, test } from "vitest";
import { createTeamSystem, type Session, type TeamSystemOptions } from "../../../src/index.ts";

type Script = NonNullable<TeamSystemOptions["script"]>;

const complete = (summary: string) => [{ calls: [{ tool: "complete", input: { summary } }] }];
const create = (...names: readonly string[]) => ({
  calls: [{ tool: "team_create", input: { name: "T", members: names.map((name) => ({ name, prompt: "p" })) } }],
});

/** Runs a session with a lead, or with a team of these members, until nothing happens any more. */
async function settled(script: Script, members?: readonly string[]): Promise<{ session: Session } & AsyncDisposable> {
  const system = await createTeamSystem({ script });
  const session = await system.openSession(members === undefined ? { lead: {} } : {});
  if (members === undefined) await session.send("go").catch(() => "failed");
  else await session.createTeam({ name: "T", members: members.map((name) => ({ name, prompt: "p" })) });
  await session.settled();
  return { session, [Symbol.asyncDispose]: () => system.close() };
}

test.each<[string, Script, readonly string[] | undefined, string, string | null]>([
  ["a lead that answered without a team", { Lead: [{ text: "hi" }] }, undefined, "completed", "hi"],
  ["a lead that failed without a team", { Lead: [{ error: "content_filter" }] }, undefined, "failed", null],
  ["a finished team without a lead", { A: complete("a") }, ["A"], "completed", null],
  ["a stalled team", { A: complete("a"), B: [{ error: "context_length" }] }, ["A", "B"], "failed", null],
  [
    "a finished team whose lead failed after it",
    { Lead: [create("A"), { waitFor: { A: "completed" } }, { error: "content_filter" }], A: complete("a") },
    undefined,
    "failed",
    null,
  ],
  [
    "a team that its lead dissolved while it worked",
    {
      Lead: [create("A"), { calls: [{ tool: "team_dissolve", input: { mode: "abort" } }] }, { text: "enough" }],
      A: [{ hang: true }],
    },
    undefined,
    "dissolved",
    "enough",
  ],
])("%s: the outcome", async (_what, script, members, outcome, answer) => {
  await using run = await settled(script, members);
  expect(run.session.result()).toMatchObject({ type: "result", outcome, answer });
});

test("an interrupted session says so whatever its team did", async () => {
  await using run = await settled({ A: complete("a") }, ["A"]);
  expect(run.session.result({ interrupted: true }).outcome).toBe("interrupted");
});

test("members come in the order of their declaration, with what they delivered or why not", async () => {
  await using run = await settled({ B: complete("done"), A: [{ error: "context_length" }] }, ["B", "A"]);
  const { members, revision, durationMs } = run.session.result();
  expect(members).toEqual([
    {
      name: "B",
      status: "completed",
      attempt: 1,
      reason: null,
      summary: "done",
      paths: [],
      modelCalls: 1,
      tokens: expect.any(Number),
    },
    {
      name: "A",
      status: "failed",
      attempt: 1,
      reason: expect.stringMatching(/^model_error: context_length/),
      summary: null,
      paths: [],
      modelCalls: 1,
      tokens: expect.any(Number),
    },
  ]);
  expect(revision).toBe(1);
  expect(durationMs).toBeGreaterThanOrEqual(0);
});

test("the status of one member is that of the whole status, and nobody's is null", async () => {
  await using run = await settled({ A: complete("a") }, ["A"]);
  expect(run.session.member("A")).toEqual(run.session.status().members[0]);
  expect(run.session.member("Bob")).toBeNull();
});

test("an observer that is let in at the opening sees every event from the first on", async () => {
  await using system = await createTeamSystem({ script: { A: complete("a") } });
  const seen: number[] = [];
  const session = await system.openSession({
    onOpen: (opened) => void opened.events$.subscribe(({ seq }) => seen.push(seq)),
  });
  await session.createTeam({ name: "T", members: [{ name: "A", prompt: "p" }] });
  await session.settled();
  expect(seen[0]).toBe(1);
  expect(new Set(seen).size).toBe(seen.at(-1));
});
