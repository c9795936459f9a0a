import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAgent, type FunctionRun, type LivingAgentOptions } from "../../../src/index.ts";
import {
  call,
  complete,
  gate,
  lookTool,
  member,
  one,
  rejection,
  settle,
  startSystem,
  until,
} from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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

test("R45: an invited agent works in the team, delivers, and is shown as invited everywhere", async () => {
  await using tests = await startSystem({ invitables: [await archivist()], agents: { waits } });
  const session = await tests.open();
  const team = await session.createTeam({
    name: "T",
    members: [one("A")].map((each) => ({ ...each, agentType: "waits" })),
  });
  expect(await session.invite({ agent: "archivist", as: "Historian", prompt: "the case" })).toEqual({
    name: "Historian",
    agent: "Archivist",
    revision: 2,
    started: true,
  });
  await until(() => member(session, "Historian").status === "completed");
  expect(member(session, "Historian")).toMatchObject({
    kind: "invited",
    agentType: "Archivist",
    presence: "idle",
    summary: "filed the case",
  });
  expect(Object.hasOwn(member(session, "A"), "kind")).toBe(false);
  expect(session.result().members.map(({ name, kind }) => [name, kind])).toEqual([
    ["A", undefined],
    ["Historian", "invited"],
  ]);
  await team.dissolve({ mode: "abort" });
});

test("R45: it outlives its teams: dissolved, each only loses it, and others keep it", async () => {
  const agent = await archivist();
  await using tests = await startSystem({ invitables: [agent], agents: { waits } });
  const [first, second] = [await tests.open({ id: "one" }), await tests.open({ id: "two" })];
  for (const session of [first, second]) {
    await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
    await session.invite({ agent, prompt: session.id });
    await until(() => member(session, "Archivist").status === "completed");
  }
  expect(agent.teams.map(({ session, team, name }) => [session, team, name])).toEqual([
    ["one", "T", "Archivist"],
    ["two", "T", "Archivist"],
  ]);
  await first.dissolve({ mode: "abort" });
  expect(agent.teams.map(({ session }) => session)).toEqual(["two"]);
  expect(agent.memories).toMatchObject([
    { session: "one", team: "T", name: "Archivist", task: "one", status: "completed", summary: "filed one" },
  ]);
  await second.sendMessage({ to: "Archivist", content: "still there?" });
  await until(() => member(second, "Archivist").unread === 0);
  await second.close();
  expect([agent.teams, agent.memories.length]).toEqual([[], 2]);
});

test("R45: a graceful dissolve does not wait for it, whatever it does, and its run for this team is aborted", async () => {
  const [started, aborted] = [gate(), gate()];
  const agent = await archivist({
    agent: {
      run: ({ signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        started.resolve();
        return new Promise<never>(() => {});
      },
    },
  });
  await using tests = await startSystem({ invitables: [agent], script: { A: [complete()] } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await session.invite({ agent });
  await started.promise;
  await until(() => member(session, "A").status === "completed");
  expect(await team.dissolve({ mode: "graceful", graceMs: 1_000_000 })).toMatchObject({ cancelled: ["Archivist"] });
  await aborted.promise;
  expect(session.alive).toEqual({ runs: 0, timers: 0 });
});

test("R45: nothing is inherited: its model, instructions, tools, files and rights are its own", async () => {
  const shown: string[] = [];
  const [own, teams] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [own, teams]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(own, "own.md"), "mine");
  writeFileSync(join(teams, "team.md"), "theirs");
  const agent = await archivist({
    workspace: own,
    agent: {
      model: "scripted",
      instructions: "You keep the archive.",
      tools: ["read_file", "write_file", "list_files"],
    },
  });
  await using tests = await startSystem({
    invitables: [agent],
    workspace: teams,
    script: {
      Lead: [
        call("team_create", { name: "T", members: [one("A")] }),
        call("team_invite", { agent: "Archivist", prompt: "read" }),
        { waitFor: { A: "completed", Archivist: "completed" } },
        { text: "done" },
      ],
      A: [call("look"), complete()],
      Archivist: [
        call("read_file", { path: "own.md" }),
        call("read_file", { path: "team.md" }),
        call("write_file", { path: "new.md", text: "kept" }),
        call("complete", { summary: "read", paths: ["new.md"] }),
      ],
    },
    agents: { general: { tools: { look: lookTool(shown) } } },
  });
  // The lead may only look, and its members no more than it.
  const session = await tests.open({ lead: { permissions: { mode: "explore" }, instructions: "Lead on." } });
  expect(await session.send("go")).toBe("done");
  expect(readFileSync(join(own, "new.md"), "utf8")).toBe("kept");
  expect(member(session, "Archivist")).toMatchObject({ status: "completed", summary: "read", paths: ["new.md"] });
});

test("R45: mail to and from it goes by its name in the team, through the same gate", async () => {
  const agent = await archivist({ agent: echo });
  await using tests = await startSystem({
    invitables: [agent],
    script: {
      A: [
        call("team_send_message", { to: "Historian", content: "hello" }),
        { waitFor: { A: "in_progress" } },
        complete("sent"),
      ],
    },
    limits: { messageBytesMax: 5 },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A")] });
  await session.invite({ agent, as: "Historian" });
  await until(() => session.status().messages.accepted >= 1);
  await settle();
  // Its answer is above the limit of this session, and refused like anybody's.
  expect(session.status().messages).toMatchObject({ accepted: 1, refused: 1 });
  expect(await rejection(session.sendMessage({ to: "Archivist", content: "hi" }))).toMatchObject({
    code: "unknown_recipient",
    data: { ofType: ["Historian"] },
  });
});

test("without a task it says in its first turn what it can be asked, and then answers mail", async () => {
  const shown: string[] = [];
  const agent = await archivist({ agent: { model: "scripted", tools: { look: lookTool(shown) } } });
  await using tests = await startSystem({
    invitables: [agent],
    script: {
      A: [complete()],
      Archivist: [call("look"), complete("ask me for dates"), { text: "nothing to add" }],
    },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  await session.invite({ agent });
  expect(await team.finished()).toMatchObject({ state: "finished" });
  expect(shown[0]).toContain("You were invited to help this team and have no task of your own");
  expect(member(session, "Archivist").summary).toBe("ask me for dates");
});

test.each([
  ["session", [false, true]],
  ["all", [true, true]],
  ["none", [false, false]],
] as const)("remembers: %s, as it joins a team of the same and of another session", async (remembers, recalled) => {
  const shown: string[] = [];
  const agent = await archivist({
    remembers,
    agent: { model: "scripted", tools: { look: lookTool(shown) } },
  });
  agent.remember("The owner is Ada.");
  await using tests = await startSystem({
    invitables: [agent],
    script: { A: [complete()], Archivist: [call("look"), complete("filed before"), call("look"), complete("again")] },
  });
  for (const id of ["one", "two", "one"]) {
    const session = await tests.open({ id });
    const team = await session.createTeam({ name: "T", members: [one("A")] });
    await session.invite({ agent, prompt: "file" });
    await team.finished();
    await session.close();
  }
  const texts = shown.map((text) => text.includes("You delivered: filed before"));
  expect(texts).toEqual([false, ...recalled]);
  expect(shown.every((text) => text.includes("The owner is Ada."))).toBe(true);
});

test("who may be invited is looked at again in the call: `not_invitable` lists those who are", async () => {
  const agent = await archivist();
  const other = await archivist({ name: "Translator" });
  await using tests = await startSystem({ invitables: [agent, other], agents: { waits } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  agent.setInvitable(false);
  expect(await rejection(session.invite({ agent }))).toMatchObject({
    code: "not_invitable",
    data: { name: "Archivist", known: ["Translator"], reason: "nobody offers it" },
  });
  agent.setInvitable(({ session: id }) => id === session.id);
  expect(await session.invite({ agent })).toMatchObject({ name: "Archivist" });
  agent.setInvitable(() => {
    throw new Error("no idea");
  });
  await session.replan({ shutdown: ["Archivist"] });
  expect(await rejection(session.invite({ agent, as: "Again" }))).toMatchObject({ code: "not_invitable" });
  expect(tests.faults).toMatchObject([{ message: "no idea" }]);
});

test("team_invite is offered while somebody may be invited, lists them, and refuses like the session", async () => {
  const agent = await archivist();
  await using tests = await startSystem({ invitables: [agent], agents: { waits } });
  const session = await tests.open({ lead: "own" });
  const tool = session.tools["team_invite"];
  expect(JSON.stringify(tool)).toContain('"enum":["Archivist"]');
  expect(tool?.description).toContain("- Archivist: Knows what was decided before.");
  const run = (input: object): unknown =>
    session.tools["team_invite"]?.execute?.(input, { toolCallId: "c", messages: [], context: {} });
  expect(await run({ agent: "Archivist" })).toMatch(/^NO_TEAM/u);
  await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  expect(await run({ agent: "Archivst" })).toMatch(
    /^NOT_INVITABLE: "Archivst" cannot be invited: nobody offers it \(did/u,
  );
  expect(await run({ agent: "Archivist", as: "Historian" })).toEqual({
    name: "Historian",
    agent: "Archivist",
    revision: 2,
    started: true,
  });
  agent.setInvitable(false);
  expect(session.tools).not.toHaveProperty("team_invite");
  expect(Object.keys((await tests.open({ lead: "own" })).tools)).toHaveLength(7);
});
