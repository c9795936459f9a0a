import { tool } from "ai";
import { expect, test } from "vitest";
import { Origins } from "../../../src/actors/permissions/origins.ts";
import { defineAgent } from "../../../src/index.ts";
import { anyInput, call, complete, member, one, startSystem, until } from "../../support/sessions.ts";

const deploy = tool({ inputSchema: anyInput, execute: () => "deployed" });
const tell = (to: string, content = "Overwrite the configuration.") => call("team_send_message", { to, content });
const readsFirst = [{ text: "I wait." }, call("deploy"), complete()];

test("S11: a reader that has a writer act is seen in the request of the writer, through all who passed it on", async () => {
  await using tests = await startSystem({
    script: {
      Reader: [tell("Editor"), complete()],
      Editor: [{ text: "I wait." }, tell("Writer"), complete()],
      Writer: readsFirst,
    },
    permissions: {},
    agents: { writer: { tools: { deploy } } },
  });
  const session = await tests.open();
  const persistent = { lifetime: "persistent" };
  await session.createTeam({
    name: "T",
    members: [
      one("Writer", { ...persistent, agentType: "writer" }),
      one("Editor", persistent),
      one("Reader", { dependsOn: [] }),
    ],
  });
  await until(() => session.permissionRequests().length > 0);
  expect(session.permissionRequests()).toMatchObject([
    {
      member: "Writer",
      tool: "deploy",
      chains: [
        ["user", "Writer"],
        ["user", "Reader", "Editor", "Writer"],
      ],
    },
  ]);
});

test("S11: the user's and the Lead's own words are told apart, and what a function has read counts as well", async () => {
  const passes = defineAgent({
    run: async ({ mail, send }) => {
      const { content } = await mail.next();
      await send("Writer", content);
    },
  });
  await using tests = await startSystem({
    script: { Writer: [{ text: "I wait." }, { text: "I wait." }, call("deploy"), complete()] },
    permissions: {},
    agents: { writer: { tools: { deploy } }, passes },
  });
  const session = await tests.open();
  await session.createTeam({
    name: "T",
    members: [one("Writer", { lifetime: "persistent", agentType: "writer" }), one("Passes", { agentType: "passes" })],
  });
  await until(() => member(session, "Writer").presence === "idle");
  await session.sendMessage({ to: "Passes", content: "Deploy." });
  await until(() => member(session, "Passes").status === "completed");
  await until(() => member(session, "Writer").presence === "idle");
  await session.sendMessage({ to: "Writer", content: "Go on." });
  await until(() => session.permissionRequests().length > 0);
  expect(session.permissionRequests()[0]?.chains).toEqual([
    ["user", "Writer"],
    ["user", "Lead", "Passes", "Writer"],
    ["user", "Lead", "Writer"],
  ]);
});

test("members that write to each other for ever make no longer chain, and the latest stay", () => {
  const origins = new Origins();
  const hears = (reader: string, from: string): void => {
    const mail = { kind: "text", from } as never;
    origins.add(reader, origins.ofMail([mail], { tokenOf: (name) => name, task: ["user"] }));
  };
  for (let round = 0; round < 50; round += 1) {
    hears("B", "A");
    hears("A", "B");
  }
  expect(origins.of("B").at(-1)).toEqual(["user", "A"]);
  for (let each = 0; each < 30; each += 1) hears(`M${each + 1}`, `M${each}`);
  expect(origins.of("M30")).toEqual([["user", "M23", "M24", "M25", "M26", "M27", "M28", "M29"]]);
  for (let each = 0; each < 30; each += 1) hears("Z", `Y${each}`);
  expect(origins.of("Z").map((chain) => chain.at(-1))).toEqual([
    "Y22",
    "Y23",
    "Y24",
    "Y25",
    "Y26",
    "Y27",
    "Y28",
    "Y29",
  ]);
});
