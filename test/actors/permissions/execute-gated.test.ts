import { tool, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { permit } from "../../../src/index.ts";
import {
  anyInput as inputSchema,
  call,
  complete,
  fail,
  lookTool,
  member,
  one,
  rejection,
  startSystem,
  until,
} from "../../support/sessions.ts";

test("R51: what is said with an approval stands in the result of the call, behind text, JSON and a failure alike", async () => {
  const shown: string[] = [];
  const tools: ToolSet = {
    text: tool({ inputSchema, execute: () => "the text" }),
    json: tool({ inputSchema, execute: () => ({ the: "json" }) }),
    fails: tool({ inputSchema, execute: (): string => fail("the disk is full") }),
    look: lookTool(shown),
  };
  await using tests = await startSystem({
    script: { A: [call("text"), call("json"), call("fails"), call("look"), complete()] },
    permissions: {},
    agents: { worker: { tools, readOnly: ["look"] } },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  for (const name of ["text", "json", "fails"]) {
    await until(() => session.permissionRequests()[0]?.tool === name);
    const [request] = session.permissionRequests();
    await session.answerPermission({ request: request?.id ?? "", approve: true, note: `mind the <${name}>` });
  }
  await until(() => session.status().state === "finished");
  const results = JSON.parse(shown[0] ?? "[]") as { role: string; content: { output?: { value: string } }[] }[];
  const values = results.filter(({ role }) => role === "tool").map(({ content }) => content[0]?.output?.value);
  const note = (name: string) =>
    `<permission-note tool="${name}" verdict="approved">mind the &lt;${name}&gt;</permission-note>`;
  expect(values).toEqual([
    `the text\n${note("text")}`,
    `{"the":"json"}\n${note("json")}`,
    `tool_error: the disk is full\n${note("fails")}`,
  ]);
});

test("G10: what a tool has asked for ends with its call, and a tool that goes on after it is given nothing more", async () => {
  const answers: Promise<unknown>[] = [];
  let askLater = (): Promise<unknown> => Promise.resolve();
  const tools: ToolSet = {
    // It does not wait for what it asks for.
    hasty: tool({
      inputSchema,
      execute: (_input, options) => {
        askLater = () => permit(options, { kind: "network", host: "late.example" });
        answers.push(rejection(permit(options, { kind: "network", host: "early.example" })));
        return Promise.resolve("gone on");
      },
    }),
  };
  await using tests = await startSystem({
    script: { A: [call("hasty"), { hang: true }] },
    permissions: { rules: { allow: ["hasty(x=y)"] } },
    agents: { worker: { tools, readOnly: ["hasty"] } },
  });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  await until(() => answers.length > 0);
  expect(await answers[0]).toMatchObject({ code: "permission_denied", data: { reason: "cancelled" } });
  expect(session.permissionRequests()).toEqual([]);
  await until(() => member(session, "A").activity === "thinking");
  expect(await rejection(askLater())).toMatchObject({ data: { reason: "its call has ended" } });
  expect(session.permissionRequests()).toEqual([]);
});

test("R51: what is said with a permission that a tool asks for in its work stands in the result of its call, too", async () => {
  const shown: string[] = [];
  const fetchPage = tool({
    inputSchema,
    execute: async (_input, options) => {
      await permit(options, { kind: "network", host: "a.example" });
      return "the page";
    },
  });
  await using tests = await startSystem({
    script: { A: [call("fetch_page"), call("look"), complete()] },
    permissions: { rules: { allow: ["fetch_page(x=y)"] } },
    agents: { worker: { tools: { fetch_page: fetchPage, look: lookTool(shown) }, readOnly: ["fetch_page", "look"] } },
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "worker" })] });
  await until(() => session.permissionRequests().length > 0);
  const [request] = session.permissionRequests();
  await session.answerPermission({ request: request?.id ?? "", approve: true, note: "this once" });
  await team.finished();
  expect(shown[0]).toContain("the page");
  expect(shown[0]).toContain("this once</permission-note>");
});
