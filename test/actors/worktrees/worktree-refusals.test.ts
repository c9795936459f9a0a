import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Agent, TeamSystemOptions } from "../../../src/index.ts";
import { createAgent } from "../../../src/index.ts";
import { git, gitFolder, leftBehind } from "../../support/git-folder.ts";
import { call, one, rejection, startSystem } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const isolation = "worktree" as const;
const own = { agentType: "own" };

/** A system in this repository whose type `own` has worktrees. */
const startIn = (workspace: string, agent: Agent, more: Partial<TeamSystemOptions> = {}) =>
  startSystem({ workspace, agents: { own: { ...agent, isolation } as Agent }, ...more });

test("a sub-agent, an invited agent and members on workers have no worktree: whoever asks for one is told", async () => {
  const repository = gitFolder();
  const unavailable = { code: "isolation_unavailable", data: { isolation } };
  expect(await rejection(startIn(repository, { run: () => {}, runsOn: "workers" }))).toMatchObject(unavailable);
  const guest = await createAgent({ name: "Guest", description: "d", agent: { isolation } });
  expect(await rejection(startSystem({ invitables: [guest] }))).toMatchObject({
    code: "bad_input",
    data: { what: "invitables.Guest.isolation" },
  });
  const tasks = [call("task", { agentType: "own", prompt: "p", description: "d" }), { text: "seen" }];
  await using tests = await startIn(repository, {}, { script: { Lead: tasks } });
  const session = await tests.open({ lead: {} });
  const shown: string[] = [];
  session.records$.subscribe(({ stored }) => void shown.push(JSON.stringify(stored.body ?? "")));
  await session.send("go");
  expect(shown.join("")).toContain("ISOLATION_UNAVAILABLE");
});

test("where worktrees can't be had the system is refused at its start, and nothing takes their place", async () => {
  const unavailable = { code: "isolation_unavailable", data: { isolation } };
  const empty = temporaryFolder();
  expect(await rejection(startIn(empty, {}))).toMatchObject(unavailable);
  git(empty, "init", "--quiet");
  expect(await rejection(startIn(empty, {}))).toMatchObject({
    message: expect.stringContaining("no commit yet") as string,
  });
  git(empty, "config", "core.bare", "true");
  expect(await rejection(startIn(empty, {}))).toMatchObject(unavailable);
  const { PATH } = process.env;
  try {
    process.env["PATH"] = "/nowhere";
    const error = await rejection(startIn(empty, {}));
    expect(error).toMatchObject({
      ...unavailable,
      message: expect.stringContaining("no git on this machine's PATH") as string,
    });
  } finally {
    process.env["PATH"] = PATH;
  }
  expect(await rejection(startSystem({ agents: { own: { isolation } } }))).toMatchObject(unavailable);
});

test("a worktree that can't be made fails its member with the reason, and leaves nothing", async () => {
  const repository = gitFolder();
  await using tests = await startIn(repository, { run: () => {} });
  // A branch of this name leaves no room for branches below it.
  git(repository, "branch", "teamchart");
  const session = await tests.open({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", own)] });
  const { members } = await team.finished();
  expect(members[0]).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("'refs/heads/teamchart' exists") as string,
  });
  git(repository, "branch", "-D", "teamchart");
  await session.replan({ retry: [{ name: "Ann" }] });
  expect((await team.finished()).outcome).toBe("completed");
  expect(leftBehind(repository)).toEqual({ branches: [], folders: [] });
});

test("a member that rewrites the .git of its worktree can't make git run programs, and its files are judged all the same", async () => {
  const repository = gitFolder();
  const proof = join(repository, "ran");
  await using tests = await startIn(repository, {
    run: async ({ workspace }) => {
      const root = workspace?.root ?? "";
      expect(await rejection(workspace?.write(".git", "gitdir: x") ?? Promise.resolve())).toMatchObject({
        code: "bad_input",
      });
      // As a program of its own could.
      git(root, "init", "--quiet", "evil");
      git(join(root, "evil"), "config", "core.fsmonitor", `touch ${proof}`);
      writeFileSync(join(root, ".git"), `gitdir: ${join(root, "evil", ".git")}\n`);
    },
  });
  const session = await tests.open({ id: "s" });
  const { members } = await (await session.createTeam({ name: "T", members: [one("Ann", own)] })).finished();
  expect(members[0]?.worktree?.state).toBe("kept");
  expect(existsSync(proof)).toBe(false);
});

test("of an agent that a function makes it is known when its member starts: that member fails with the reason", async () => {
  await using tests = await startSystem({ workspace: temporaryFolder(), agents: { own: () => ({ isolation }) } });
  const session = await tests.open();
  const { members } = await (await session.createTeam({ name: "T", members: [one("Ann", own)] })).finished();
  expect(members[0]).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("is in no git repository") as string,
  });
});

test("who is cancelled while its worktree is made leaves nothing", async () => {
  const repository = gitFolder();
  await using tests = await startIn(repository, { run: () => new Promise(() => {}) });
  const session = await tests.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("Ann", own), one("Bob", own)] });
  await session.dissolve({ mode: "abort" });
  expect(session.status().members.map(({ worktree }) => worktree)).toEqual([undefined, undefined]);
  expect(leftBehind(repository)).toEqual({ branches: [], folders: [] });
});
