import { expect, test } from "vitest";
import { createAgent, type FunctionRun, type LivingAgentOptions } from "../../../src/index.ts";
import { replay } from "../../../src/testing/index.ts";
import { keepLines } from "../../support/record-session.ts";
import { member, one, rejection, startSystem, until } from "../../support/sessions.ts";

const archivist = (more: Partial<LivingAgentOptions> = {}) =>
  createAgent({
    name: "Archivist",
    description: "Knows what was decided before.",
    agent: { run: ({ prompt }) => ({ summary: `filed ${prompt}` }) },
    ...more,
  });
const waits = { run: () => new Promise<never>(() => {}) };
const echo = {
  run: async ({ mail, send }: FunctionRun) => {
    for (const each of await mail.take()) await send(each.from, `heard ${each.content}`);
    return { summary: "listening" };
  },
};

test("G12: a recording with an invitation replays to the same states", async () => {
  const agent = await archivist({ agent: echo });
  await using tests = await startSystem({ invitables: [agent], agents: { waits } });
  const { session, lines, close } = await keepLinesOf(tests);
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  await session.invite({ agent, as: "Historian", prompt: "the case", dependsOn: [] });
  await rejection(session.invite({ agent: "nobody" }));
  await until(() => member(session, "Historian").status === "completed");
  await session.dissolve({ mode: "abort" });
  await close();
  const replayed = await replay(lines);
  expect(replayed.session.members.get("Historian-t1")).toMatchObject({
    invited: { agent: "Archivist" },
    prompt: "the case",
  });
  expect(replayed.truncated).toBeNull();
});

test.each([
  ["a reserved name", { name: "Lead" }, "reserved_name"],
  ["no name", { name: "" }, "bad_name"],
  ["no description", { description: "" }, "bad_input"],
  ["an option that there is not", { workspce: "." }, "bad_input"],
  ["a workspace that is not there", { workspace: "/nowhere/at/all" }, "missing_path"],
])("createAgent with %s is refused", async (_what, more: object, code) => {
  expect(await rejection(archivist(more))).toMatchObject({ code });
});

test("a system refuses agents that nobody can tell apart, that are none, or that can't be run", async () => {
  const agent = await archivist();
  const twin = await archivist({ name: "archi-vist" });
  expect(await rejection(startSystem({ invitables: [agent, twin] }))).toMatchObject({ code: "name_collision" });
  expect(await rejection(startSystem({ invitables: [agent], agents: { archivist: {} } }))).toMatchObject({
    code: "name_collision",
    data: { of: "agent types and invitable agents" },
  });
  // Either name of the default type means the one that there is, so an agent of that name would have its tasks and times.
  for (const [name, agents] of [
    ["General", { default: { idleMs: 60_000 } }],
    ["Default", {}],
  ] as const) {
    const invitables = [await archivist({ name })];
    expect(await rejection(startSystem({ invitables, agents }))).toMatchObject({ code: "name_collision" });
  }
  const broken = await archivist({ agent: { tools: ["no_tool"] } });
  expect(await rejection(startSystem({ invitables: [broken] }))).toMatchObject({
    code: "bad_input",
    data: { what: "invitables.Archivist.tools" },
  });
});

/** A session that is written down from its first input on. */
async function keepLinesOf(tests: Awaited<ReturnType<typeof startSystem>>) {
  const kept = keepLines();
  const session = await tests.open({ onOpen: async (opened) => void (await opened.record(kept)) });
  return { session, lines: kept.lines, close: () => session.close() };
}
