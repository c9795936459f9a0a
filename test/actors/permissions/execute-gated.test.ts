import { tool, type ToolSet } from "ai";
import { expect, test } from "vitest";
import {
  anyInput as inputSchema,
  call,
  complete,
  fail,
  lookTool,
  one,
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
