import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { createAgent, type FunctionRun, type LivingAgentOptions } from "../../../src/index.ts";
import { member, one, rejection, startSystem, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const waits = { run: () => new Promise<never>(() => {}) };
const archivist = (more: Partial<LivingAgentOptions> & Pick<LivingAgentOptions, "agent">) =>
  createAgent({ name: "Archivist", description: "Knows what was decided before.", ...more });

test("an invited agent is held to what the session denies, and not to the directories of a folder that is not its", async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, "secret.md"), "plum");
  const done: unknown[] = [];
  const run = async ({ workspace }: FunctionRun) => {
    done.push(await rejection(workspace?.read("secret.md") ?? Promise.resolve()));
    await workspace?.write("notes.md", "mine");
  };
  await using tests = await startSystem({
    invitables: [await archivist({ workspace: root, agent: { run } })],
    agents: { waits },
    permissions: { mode: "accept_edits", directories: ["src"], rules: { deny: ["read_file(secret.md)"] } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  await session.invite({ agent: "Archivist", prompt: "go" });
  await until(() => member(session, "Archivist").status === "completed");
  expect([done, readFileSync(join(root, "notes.md"), "utf8")]).toMatchObject([[{ code: "permission_denied" }], "mine"]);
  await team.dissolve({ mode: "abort" });
});

test("the status tells the steps that an invited agent has itself, and of a function none", async () => {
  const model = scriptedModel([{ hang: true }]);
  await using tests = await startSystem({
    invitables: [await archivist({ agent: { model, stepsMax: 3 } }), await archivist({ name: "Guard", agent: waits })],
    agents: { waits },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "waits" })] });
  for (const agent of ["Archivist", "Guard"]) await session.invite({ agent, prompt: "go" });
  const stepsOf = (name: string) => member(session, name).budgets?.filter(({ limit }) => limit === "stepsMax");
  expect(stepsOf("Archivist")).toMatchObject([{ used: 0, max: 3 }]);
  expect([stepsOf("Guard"), stepsOf("A")]).toEqual([[], []]);
  await team.dissolve({ mode: "abort" });
});
