import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineAgent, type Agent, type TeamSystemOptions } from "../../../src/index.ts";
import { git, gitFolder, leftBehind } from "../../support/git-folder.ts";
import { call, complete, gate, member, one, startSystem, until } from "../../support/sessions.ts";

const isolation = "worktree" as const;
const write = (path: string, text: string) => call("write_file", { path, text });

/** A system in this repository whose type `own` has worktrees. */
const startIn = (workspace: string, own: Agent, more: Partial<TeamSystemOptions> = {}) =>
  startSystem({ workspace, agents: { own: { ...own, isolation } as Agent }, ...more });

const nothing = { branches: [], folders: [] };
const own = { agentType: "own" };

test("R54: each member writes in a worktree of its own; who has changed nothing leaves nothing behind", async () => {
  const repository = gitFolder();
  await using tests = await startIn(
    repository,
    {},
    {
      script: {
        Ann: [write("a.txt", "Ann's"), call("complete", { summary: "changed", paths: ["a.txt"] })],
        Bob: [call("read_file", { path: "a.txt" }), complete("looked")],
      },
    },
  );
  const session = await tests.open({ id: "s 1" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", own), one("Bob", own)] });
  const { members, outcome } = await team.finished();
  expect(outcome).toBe("completed");
  const path = ".teamchart/worktrees/s_201/Ann";
  expect(members.map(({ worktree }) => worktree)).toEqual([
    { branch: "teamchart/s_201/Ann", path, state: "kept" },
    undefined,
  ]);
  expect(session.result().members.map(({ worktree }) => worktree)).toEqual([
    { branch: "teamchart/s_201/Ann", path },
    undefined,
  ]);
  expect(leftBehind(repository)).toEqual({ branches: ["teamchart/s_201/Ann"], folders: [join(repository, path)] });
  expect([
    readFileSync(join(repository, path, "a.txt"), "utf8"),
    readFileSync(join(repository, "a.txt"), "utf8"),
  ]).toEqual(["Ann's", "a\n"]);
  // Nobody commits the others' worktrees by accident.
  expect(git(repository, "status", "--porcelain")).toBe("");
  expect(readFileSync(join(repository, ".teamchart/.gitignore"), "utf8")).toBe("*\n");
  await session.dissolve();
  expect(member(session, "Ann").worktree?.state).toBe("kept");
  expect(tests.faults).toEqual([]);
});

test("a session in which nobody has changed anything leaves no branch, no folder and no trace in git status", async () => {
  const repository = gitFolder();
  await using tests = await startIn(repository, { run: () => ({ summary: "looked" }) });
  const session = await tests.open({ id: "clean" });
  const team = await session.createTeam({ name: "T", members: ["Ann", "Bob", "Cy"].map((name) => one(name, own)) });
  await team.finished();
  expect(leftBehind(repository)).toEqual(nothing);
  expect(existsSync(join(repository, ".teamchart"))).toBe(false);
});

test("commits and files that git ignores are changes, too", async () => {
  const repository = gitFolder({ ".gitignore": "out/\n" });
  await using tests = await startIn(repository, {
    run: async ({ name, workspace }) => {
      const root = workspace?.root ?? "";
      if (name === "Ann") git(root, "commit", "--quiet", "--allow-empty", "-m", "a commit");
      else await workspace?.write("out/report.txt", "a report");
    },
  });
  const session = await tests.open({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", own), one("Bob", own)] });
  const { members } = await team.finished();
  expect(members.map(({ worktree }) => worktree?.state)).toEqual(["kept", "kept"]);
  expect(git(repository, "log", "--format=%s", "main..teamchart/s/Ann")).toBe("a commit");
});

test("a retry goes on in the worktree that was kept; one that was removed is made anew from what is there now", async () => {
  const repository = gitFolder();
  const seen: string[] = [];
  await using tests = await startIn(repository, {
    run: async ({ name, workspace }) => {
      const { entries } = (await workspace?.list()) ?? { entries: [] };
      seen.push(`${name}: ${entries.map((entry) => entry.path).join(" ")}`);
      if (seen.length <= 2) {
        if (name === "Ann") await workspace?.write("half.txt", "half");
        throw new Error("no luck");
      }
    },
  });
  const session = await tests.open({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", own), one("Bob", own)] });
  await team.finished();
  expect([member(session, "Ann").worktree?.state, member(session, "Bob").worktree]).toEqual(["kept", undefined]);
  writeFileSync(join(repository, "b.txt"), "b");
  git(repository, "add", ".");
  git(repository, "commit", "--quiet", "-m", "second");
  await session.replan({ retry: [{ name: "Ann" }, { name: "Bob" }] });
  expect((await team.finished()).outcome).toBe("completed");
  expect(seen.slice(2).toSorted()).toEqual(["Ann: .git a.txt half.txt", "Bob: .git a.txt b.txt"]);
  expect(leftBehind(repository).branches).toEqual(["teamchart/s/Ann"]);
});

test.each(["graceful", "abort"] as const)(
  "a dissolve (%s) keeps what was changed and removes the rest",
  async (mode) => {
    const repository = gitFolder();
    let started = 0;
    await using tests = await startIn(repository, {
      run: async ({ name, workspace, signal }) => {
        if (name === "Ann") await workspace?.write("half.txt", "half");
        started += 1;
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      },
      onShutdown: () => {},
    });
    const session = await tests.open({ id: "s" });
    await session.createTeam({ name: "T", members: [one("Ann", own), one("Bob", own)] });
    await until(() => started === 2);
    const dissolved = session.dissolve({ mode, graceMs: 5 });
    if (mode === "graceful") await tests.clock.advance(5);
    await dissolved;
    expect([member(session, "Ann").worktree?.state, member(session, "Bob").worktree]).toEqual(["kept", undefined]);
    expect(leftBehind(repository).branches).toEqual(["teamchart/s/Ann"]);
  },
);

test("a persistent member keeps its worktree while it is idle, and knows it after a wake", async () => {
  const repository = gitFolder();
  const roots: string[] = [];
  await using tests = await startIn(repository, {
    run: async ({ workspace, mail }) => {
      await mail.take();
      roots.push(workspace?.root ?? "");
    },
  });
  const session = await tests.open({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", { ...own, lifetime: "persistent" })] });
  await team.finished();
  expect(member(session, "Ann").worktree).toMatchObject({ branch: "teamchart/s/Ann", state: "open" });
  await session.sendMessage({ to: "Ann", content: "again" });
  await until(() => roots.length === 2 && member(session, "Ann").presence === "idle");
  expect(roots[1]).toBe(roots[0]);
  await session.replan({ shutdown: ["Ann"] });
  await until(() => member(session, "Ann").presence === "shutdown");
  await session.dissolve();
  expect(leftBehind(repository)).toEqual(nothing);
});

test("a session that ends with its members at work lets go of their worktrees", async () => {
  const repository = gitFolder();
  let started = 0;
  await using tests = await startIn(repository, {
    run: async ({ name, workspace, signal }) => {
      if (name === "Ann") await workspace?.write("half.txt", "half");
      started += 1;
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    },
  });
  const session = await tests.open({ id: "s" });
  await session.createTeam({ name: "T", members: [one("Ann", own), one("Bob", own)] });
  await until(() => started === 2);
  await session.end();
  expect(session.result({ interrupted: true }).members.map(({ worktree }) => worktree?.branch)).toEqual([
    "teamchart/s/Ann",
    undefined,
  ]);
  expect(leftBehind(repository).branches).toEqual(["teamchart/s/Ann"]);
});

test("a branch that somebody has is left alone: the member gets the next name, also in two sessions at once", async () => {
  const repository = gitFolder();
  git(repository, "branch", "teamchart/s/Ann");
  const held = gate();
  const agent = defineAgent({
    run: async ({ workspace }) => {
      await workspace?.write("mine.txt", "mine");
      await held.promise;
    },
  });
  await using tests = await startIn(repository, agent);
  await using others = await startIn(repository, agent);
  const sessions = await Promise.all([tests.open({ id: "s" }), others.open({ id: "s" })]);
  const teams = await Promise.all(sessions.map((each) => each.createTeam({ name: "T", members: [one("Ann", own)] })));
  await until(() => sessions.every((each) => member(each, "Ann").worktree !== undefined));
  held.resolve();
  await Promise.all(teams.map((team) => team.finished()));
  expect(sessions.map((each) => member(each, "Ann").worktree?.branch ?? "").toSorted()).toEqual([
    "teamchart/s/Ann-2",
    "teamchart/s/Ann-3",
  ]);
  expect(leftBehind(repository).branches).toEqual(["teamchart/s/Ann", "teamchart/s/Ann-2", "teamchart/s/Ann-3"]);
});

test("odd names of sessions and members make plain branches and folders", async () => {
  const repository = gitFolder();
  const names = ["..a/b..", "-x", "a.lock", "Zoë 🦊", "名".repeat(64), "名".repeat(63)];
  await using tests = await startIn(repository, {
    run: async ({ workspace }) => void (await workspace?.write("x", "x")),
  });
  const session = await tests.open({ id: "..//~^:?*[\\ @{" });
  const team = await session.createTeam({ name: "T", members: names.map((name) => one(name, own)) });
  const { members } = await team.finished();
  const branches = members.map(({ worktree }) => worktree?.branch ?? "");
  expect(new Set(branches).size).toBe(names.length);
  for (const branch of branches) expect(branch).toMatch(/^teamchart\/[\w-]{1,60}\/[\w-]{1,60}$/);
  expect(leftBehind(repository).branches.toSorted()).toEqual(branches.toSorted());
});

test("what is not committed in the repository is not a member's, and stays as it is", async () => {
  const repository = gitFolder();
  writeFileSync(join(repository, "a.txt"), "not committed");
  const read: string[] = [];
  await using tests = await startIn(repository, {
    run: async ({ workspace }) => {
      const file = await workspace?.read("a.txt");
      read.push(JSON.stringify(file));
    },
  });
  const session = await tests.open({ id: "s" });
  await (await session.createTeam({ name: "T", members: [one("Ann", own)] })).finished();
  expect(read[0]).toContain("a\\n");
  expect(read[0]).not.toContain("not committed");
  expect(git(repository, "status", "--porcelain")).toBe("M a.txt");
  expect(leftBehind(repository)).toEqual(nothing);
});

test("a workspace below the root of its repository: a member sees the same part of its worktree", async () => {
  const repository = gitFolder({ "apps/one/a.txt": "a", "secret.txt": "s" });
  const listed: unknown[] = [];
  await using tests = await startIn(join(repository, "apps/one"), {
    run: async ({ workspace }) => {
      listed.push((await workspace?.list())?.entries.map(({ path }) => path));
      await workspace?.write("b.txt", "b");
    },
  });
  const session = await tests.open({ id: "s" });
  const [ann] = (await (await session.createTeam({ name: "T", members: [one("Ann", own)] })).finished()).members;
  expect(listed).toEqual([["a.txt"]]);
  expect(ann?.worktree?.path).toBe(".teamchart/worktrees/s/Ann/apps/one");
  expect(readFileSync(join(repository, "apps/one", ann?.worktree?.path ?? "", "b.txt"), "utf8")).toBe("b");
  expect(git(repository, "status", "--porcelain")).toBe("");
});

test("who depends on a member is told in which worktree its paths are, and a member on which branch it works", async () => {
  const repository = gitFolder();
  const prompts: string[] = [];
  await using tests = await startIn(
    repository,
    {},
    {
      agents: { own: { isolation }, shared: { run: ({ upstream }) => void prompts.push(JSON.stringify(upstream)) } },
      script: { Ann: [write("r.txt", "r"), call("complete", { summary: "s", paths: ["r.txt"] })] },
    },
  );
  const session = await tests.open({ id: "s" });
  const members = [one("Ann", own), one("Bob", { agentType: "shared", dependsOn: ["Ann"] })];
  await (await session.createTeam({ name: "T", members })).finished();
  expect(JSON.parse(prompts[0] ?? "")).toMatchObject([
    { name: "Ann", paths: ["r.txt"], worktree: { branch: "teamchart/s/Ann", path: ".teamchart/worktrees/s/Ann" } },
  ]);
});

test("directories of a policy are the member's own, below its worktree", async () => {
  const repository = gitFolder({ "src/a.txt": "a", "other/b.txt": "b" });
  const agent: Agent = { permissions: { mode: "accept_edits", overrideLeadMode: true, directories: ["src"] } };
  const script = { Ann: [write("src/a.txt", "new"), write("other/b.txt", "new"), complete()] };
  await using tests = await startIn(repository, agent, { script });
  const session = await tests.open({ id: "s" });
  const team = await session.createTeam({ name: "T", members: [one("Ann", own)] });
  await until(() => session.permissionRequests().length === 1);
  const [request] = session.permissionRequests();
  expect(request).toMatchObject({ tool: "write_file", target: "other/b.txt" });
  await session.answerPermission({ request: request?.id ?? "", approve: false });
  await team.finished();
  expect(git(join(repository, ".teamchart/worktrees/s/Ann"), "status", "--porcelain")).toBe("M src/a.txt");
});
