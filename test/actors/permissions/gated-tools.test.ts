import { tool, type ToolSet } from "ai";
import { expect, test } from "vitest";
import { defineAgent, pending, permit, type FunctionRun } from "../../../src/index.ts";
import { anyInput, one, rejection, startSystem, until } from "../../support/sessions.ts";

/** What a function calls a tool with; only its own input matters. */
const callTool = (tools: ToolSet, name: string, input: object): Promise<unknown> =>
  Promise.resolve(tools[name]?.execute?.(input as never, { toolCallId: "mine", messages: [], context: {} as never }));

async function start(run: (run: FunctionRun) => Promise<unknown>, executed: unknown[] = []) {
  const deploy = tool({
    inputSchema: anyInput,
    execute: async (input: Record<string, unknown>, options) => {
      if (typeof input["host"] === "string") await permit(options, { kind: "network", host: input["host"] });
      executed.push(input);
      return "deployed";
    },
  });
  let outcome: unknown = null;
  const agent = defineAgent({
    tools: { deploy, write_file: deploy },
    run: async (given) => {
      outcome = await run(given);
    },
  });
  const permissions = { rules: { deny: ["deploy(env=prod)", "*(host:evil.org)"], allow: ["deploy(env=test)"] } };
  const { system, open } = await startSystem({ agents: { agent }, permissions });
  const session = await open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "agent" })] });
  return { session, team, system, executed, outcome: () => outcome };
}

test("a function's own tools go through its permissions: allowed, denied, asked for", async () => {
  const { session, team, system, executed, outcome } = await start(async ({ tools }) => [
    await callTool(tools, "deploy", { env: "test" }),
    await rejection(callTool(tools, "deploy", { env: "prod" })),
    await rejection(callTool(tools, "deploy", { env: "other" })),
  ]);
  await using _ = system;
  await until(() => session.permissionRequests().length > 0);
  expect(executed).toEqual([{ env: "test" }]);
  const [request] = session.permissionRequests();
  expect(request).toMatchObject({ kind: "tool", tool: "deploy", input: '{"env":"other"}' });
  await session.answerPermission({ request: request?.id ?? "", approve: false });
  await team.finished();
  expect(outcome()).toMatchObject(["deployed", { code: "permission_denied" }, { code: "permission_denied" }]);
  expect(executed).toHaveLength(1);
});

test("S13: arguments that are changed while somebody is asked are not those that run", async () => {
  const input = { env: "other" };
  const { session, team, system, executed } = await start(({ tools }) => callTool(tools, "deploy", input));
  await using _ = system;
  await until(() => session.permissionRequests().length > 0);
  input.env = "prod";
  await session.answerPermission({ request: session.permissionRequests()[0]?.id ?? "", approve: true });
  await team.finished();
  expect(executed).toEqual([{ env: "other" }]);
});

test("a tool of a function, and the function itself, ask for network hosts", async () => {
  const { session, team, system, outcome } = await start(async ({ tools, permit: ask }) => [
    await rejection(callTool(tools, "deploy", { env: "test", host: "evil.org" })),
    await rejection(ask({ kind: "network", host: "evil.org" })),
    await ask({ kind: "network", host: "a.org" }),
  ]);
  await using _ = system;
  await until(() => session.permissionRequests().length > 0);
  expect(session.permissionRequests()).toMatchObject([{ kind: "network", tool: "run", target: "a.org" }]);
  const request = session.permissionRequests()[0]?.id ?? "";
  await session.answerPermission({ request, approve: true, note: "once" });
  await team.finished();
  const denied = { code: "permission_denied" };
  expect(outcome()).toMatchObject([denied, denied, { note: "once" }]);
});

test("an own tool that is called like one of the workspace's is judged as what it is", async () => {
  const { session, system } = await start(({ tools }) => callTool(tools, "write_file", { path: "a" }));
  await using _ = system;
  await until(() => session.permissionRequests().length > 0);
  const [request] = session.permissionRequests();
  expect([request?.tool, request?.target]).toEqual(["write_file", undefined]);
});

test("where a tool is called by nobody of a team, what it asks for is denied", async () => {
  expect(await rejection(permit({}, { kind: "network", host: "a.org" }))).toMatchObject({ code: "permission_denied" });
});

test("a call that the function gives no id has one to be finished by, and one that the log can't hold is refused", async () => {
  let begun = 0;
  const begin = tool({
    inputSchema: anyInput,
    execute: () => {
      begun += 1;
      return pending();
    },
  });
  const agent = defineAgent({
    tools: { begin },
    run: async ({ tools }) => {
      const wait = async (options?: object) => tools["begin"]?.execute?.({} as never, options as never) as unknown;
      const refused = await rejection(wait({ toolCallId: "x".repeat(2_001) }));
      return { summary: `${String(await wait())} ${String(await wait({}))} ${(refused as { code: string }).code}` };
    },
  });
  const { system, open } = await startSystem({ agents: { agent } });
  await using _ = system;
  const session = await open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "agent" })] });
  for (const result of ["first", "second"]) {
    await until(() => session.pendingCalls().length > 0);
    await session.finishCall(session.pendingCalls()[0]?.call ?? "", { result });
  }
  expect(await team.finished()).toMatchObject({ members: [{ summary: "first second bad_input" }] });
  expect(begun).toBe(2);
});
