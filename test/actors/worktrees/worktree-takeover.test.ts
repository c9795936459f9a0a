import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqliteBus } from "../../../src/bus/sqlite.ts";
import { replay } from "../../../src/testing/index.ts";
import type { WorkspaceView } from "../../../src/tools/index.ts";
import { git, gitFolder, leftBehind } from "../../support/git-folder.ts";
import { gate, member, one, startSystem, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** What happens to a worktree between two owners, and what the second one finds in it. */
const between: readonly [string, (repository: string, root: string) => void, string][] = [
  ["nothing", () => {}, ".git a.txt half.txt"],
  ["its folder is deleted", (_repository, root) => rmSync(root, { recursive: true }), ".git a.txt"],
  [
    "git forgets it and its branch",
    (repository, root) => {
      git(repository, "worktree", "remove", "--force", root);
      git(repository, "branch", "-D", "teamchart/s/Ann");
    },
    ".git a.txt",
  ],
  [
    "it was never made: the owner died after it had said so",
    (repository, root) => git(repository, "worktree", "remove", "--force", root),
    ".git a.txt",
  ],
];

test.each(between)("the next owner goes on in a member's worktree: %s", async (_what, happens, found) => {
  const repository = gitFolder();
  const path = join(temporaryFolder(), "bus.db");
  const root = join(repository, ".teamchart/worktrees/s/Ann");
  const held = gate();
  const seen: string[] = [];
  const agents = {
    own: {
      isolation: "worktree" as const,
      run: async ({ workspace }: { readonly workspace: WorkspaceView | null }) => {
        const listing = await workspace?.list();
        seen.push((listing?.entries ?? []).map((entry) => entry.path).join(" "));
        if (seen.length > 1) return;
        await workspace?.write("half.txt", "half");
        await held.promise;
      },
    },
  };
  {
    await using stack = new AsyncDisposableStack();
    const bus = stack.adopt(sqliteBus({ path }), (each) => each.close());
    await using tests = await startSystem({ bus, agents, workspace: repository });
    const session = await tests.open({ id: "s" });
    await session.createTeam({ name: "T", members: [one("Ann", { agentType: "own" })] });
    await until(() => seen.length === 1 && leftBehind(repository).branches.length === 1);
    await until(() => git(root, "status", "--porcelain") !== "");
  }
  happens(repository, root);
  await using stack = new AsyncDisposableStack();
  const bus = stack.adopt(sqliteBus({ path }), (each) => each.close());
  await using tests = await startSystem({ bus, agents, workspace: repository });
  const session = await tests.open({ id: "s" });
  await session.team?.finished();
  held.resolve();
  expect(seen[1]).toBe(found);
  const isKept = found.includes("half");
  expect(member(session, "Ann").worktree?.state).toBe(isKept ? "kept" : undefined);
  expect(leftBehind(repository).branches).toEqual(isKept ? ["teamchart/s/Ann"] : []);
  expect(tests.faults).toEqual([]);
});

test("an owner that takes over removes what a member left that was gone before", async () => {
  const repository = gitFolder();
  const path = join(temporaryFolder(), "bus.db");
  const held = gate();
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    await held.promise;
  };
  const agents = { own: { isolation: "worktree" as const, run } };
  {
    await using stack = new AsyncDisposableStack();
    const bus = stack.adopt(sqliteBus({ path }), (each) => each.close());
    await using tests = await startSystem({ bus, agents, workspace: repository });
    const session = await tests.open({ id: "s" });
    await session.createTeam({ name: "T", members: [one("Ann", { agentType: "own" })] });
    await until(() => isRunning);
    // The run ignores its signal, so that its worktree is still being left when the process goes.
    await session.replan({ cancel: ["Ann"] });
    await session.close();
  }
  expect(leftBehind(repository).branches).toEqual(["teamchart/s/Ann"]);
  await using stack = new AsyncDisposableStack();
  const bus = stack.adopt(sqliteBus({ path }), (each) => each.close());
  await using tests = await startSystem({ bus, agents, workspace: repository });
  const session = await tests.open({ id: "s" });
  await session.settled();
  held.resolve();
  expect(member(session, "Ann").worktree).toBeUndefined();
  expect(leftBehind(repository)).toEqual({ branches: [], folders: [] });
});

test("a recording says where members worked, and is folded again to the same states", async () => {
  const repository = gitFolder();
  const lines: string[] = [];
  await using tests = await startSystem({
    workspace: repository,
    agents: {
      own: {
        isolation: "worktree",
        run: async ({ name, workspace }) => void (name === "Ann" && (await workspace?.write("a.txt", "new"))),
      },
    },
  });
  const session = await tests.open({
    id: "s",
    onOpen: async (opened) => void (await opened.record({ write: (line) => (lines.push(line), null) })),
  });
  const members = [one("Ann", { agentType: "own" }), one("Bob", { agentType: "own" })];
  await (await session.createTeam({ name: "T", members })).finished();
  await session.dissolve();
  await session.close();
  const events = lines.flatMap((line) => {
    const { event } = JSON.parse(line) as { event?: { type: string; member?: string; kept?: boolean } };
    return event?.type.startsWith("worktree.") === true ? [event] : [];
  });
  expect(events.map(({ type, member: name, kept }) => [type, name, kept].join(" ").trim()).toSorted()).toEqual([
    "worktree.closed Ann true",
    "worktree.closed Bob false",
    "worktree.opened Ann",
    "worktree.opened Bob",
  ]);
  const replayed = await replay(lines);
  expect(replayed.session.worktrees).toMatchObject([{ branch: "teamchart/s/Ann", state: "kept" }]);
});
