import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineAgent, type FunctionRun, type PermissionPolicy } from "../../../src/index.ts";
import { member, one, rejection, startSystem, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type View = NonNullable<FunctionRun["workspace"]>;

/** A function agent that works with the files of a folder with a secret. */
async function start(permissions: PermissionPolicy | undefined, work: (files: View) => Promise<unknown>) {
  const root = temporaryFolder();
  mkdirSync(join(root, "secrets"));
  writeFileSync(join(root, "secrets/key"), "the word is plum");
  writeFileSync(join(root, "open.md"), "no plum");
  symlinkSync("secrets", join(root, "link"));
  let found: unknown = null;
  const agent = defineAgent({
    run: async ({ workspace }) => {
      found = workspace === null ? null : await work(workspace);
    },
  });
  const { system, open } = await startSystem({
    agents: { agent },
    workspace: root,
    ...(permissions && { permissions }),
  });
  const session = await open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "agent" })] });
  return { session, team, system, root, found: () => found };
}

test("a function's files are judged as a model's are: by where a path leads, in each of the four operations", async () => {
  const rules = { allow: ["*"], deny: ["read_file(secrets/**)", "write_file(secrets/**)", "list_files(secrets/**)"] };
  const { team, system, found, root } = await start({ rules }, (files) =>
    Promise.all([
      rejection(files.read("link/key")),
      rejection(files.write("link/key", "gone")),
      rejection(files.list({ path: "link" })),
      rejection(files.search({ pattern: "plum", path: "secrets" })),
      files.search({ pattern: "plum" }).then(({ matches }) => matches.map(({ path }) => path)),
      files.list().then(({ entries }) => entries.map(({ path }) => path)),
      files.read("open.md").then((read) => read.kind === "text" && read.text),
    ]),
  );
  await using _ = system;
  expect(await team.finished()).toMatchObject({ outcome: "completed" });
  const denied = { code: "permission_denied" };
  expect(found()).toMatchObject([denied, denied, denied, denied, ["open.md"], ["link", "open.md"], "no plum"]);
  expect(readFileSync(join(root, "secrets/key"), "utf8")).toBe("the word is plum");
});

test("a file that must be asked for is not found by a search that was not, and is by one that was approved", async () => {
  const rules = { allow: ["*"], ask: ["read_file(secrets/**)"] };
  const paths = async (files: View, query: Parameters<View["search"]>[0]) =>
    (await files.search(query)).matches.map(({ path }) => path);
  const { session, team, system, found } = await start({ rules }, async (files) => [
    await paths(files, { pattern: "plum" }),
    await paths(files, { pattern: "plum", path: "secrets" }),
  ]);
  await using _ = system;
  await until(() => session.permissionRequests().length > 0);
  await session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve: true });
  await team.finished();
  expect(found()).toEqual([["open.md"], ["secrets/key"]]);
});

test("a function that must ask waits for the answer, visibly, and works on what was judged", async () => {
  const { session, team, system, root } = await start({}, (files) => files.write("new.md", "text"));
  await using _ = system;
  await until(() => session.permissionRequests().length > 0);
  expect(member(session, "A").activity).toBe("waiting_permission");
  const [request] = session.permissionRequests();
  expect(request).toMatchObject({ tool: "write_file", target: "new.md", input: '{"path":"new.md","text":"text"}' });
  await session.answerPermission({ request: request?.id ?? "", approve: true });
  await team.finished();
  expect(readFileSync(join(root, "new.md"), "utf8")).toBe("text");
});

test("without any policy the files are as they were: links are followed, and nothing is asked", async () => {
  const { team, system, found } = await start(undefined, (files) => files.read("link/key"));
  await using _ = system;
  await team.finished();
  expect(found()).toMatchObject({ text: "the word is plum", path: "secrets/key" });
});
