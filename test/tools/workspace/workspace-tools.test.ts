import { generateText, isStepCount, type ToolExecutionOptions } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorkspaceTools, workspaceToolTraits } from "../../../src/tools/workspace/index.ts";
import { openTestWorkspace } from "./test-workspace.ts";

const call: ToolExecutionOptions<Record<string, unknown>> = { toolCallId: "c1", messages: [], context: {} };

const openTools = async (allowExecute = false) => {
  const at = await openTestWorkspace();
  const toolsOf = (name: string) => createWorkspaceTools({ workspace: at.workspace.for(name), allowExecute });
  return Object.assign(at, { ann: toolsOf("Ann"), bob: toolsOf("Bob") });
};

test("the block is frozen, in one order, and has traits for every tool", async () => {
  await using at = await openTools();
  const names = ["list_files", "read_file", "write_file", "search_text", "execute"];
  expect(Object.keys(at.ann)).toEqual(names);
  expect(Object.keys(workspaceToolTraits)).toEqual(names);
  expect(Object.isFrozen(at.ann)).toBe(true);
  expect(Object.values(at.ann).every((each) => Object.isFrozen(each))).toBe(true);
});

test("only reading tools are idempotent, without side effects and concurrent", () => {
  const reading = { idempotent: true, sideEffects: false, concurrent: true };
  const changing = { idempotent: false, sideEffects: true, concurrent: false };
  expect(workspaceToolTraits).toEqual({
    list_files: reading,
    read_file: reading,
    write_file: changing,
    search_text: reading,
    execute: changing,
  });
});

test("every tool answers with a JSON object", async () => {
  await using at = await openTools(true);
  const { list_files, read_file, write_file, search_text, execute } = at.ann;
  const results = [
    await list_files.execute({ path: "folder" }, call),
    await read_file.execute({ path: "folder/a.txt" }, call),
    await write_file.execute({ path: "folder/a.txt", text: "b" }, call),
    await search_text.execute({ pattern: "b" }, call),
    await execute.execute({ command: process.execPath, args: ["--version"] }, call),
  ];
  for (const result of results) {
    expect(result).toBeTypeOf("object");
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  }
});

test("a refusal is a text with code, fact and next step", async () => {
  await using at = await openTools();
  expect(await at.ann.read_file.execute({ path: "../x" }, call)).toBe(
    'WORKSPACE_ESCAPE: "../x" lies outside the workspace. Do: Use a path inside the workspace, relative to its root.',
  );
  await at.bob.write_file.execute({ path: "x", text: "1" }, call);
  expect(await at.ann.write_file.execute({ path: "x", text: "2" }, call)).toBe(
    'WRITE_CONFLICT: Bob changed "x" since you read it; nothing was written. Do: Read it again, then write.',
  );
});

test("execute is off unless allowed, runs nothing then, and says how it is allowed", async () => {
  await using at = await openTools();
  const code = "require('node:fs').writeFileSync('ran', '')";
  expect(await at.ann.execute.execute({ command: process.execPath, args: ["-e", code] }, call)).toBe(
    "DISABLED: execute is off. Do: Do without it; only the user can allow it, by allowExecute: true on your agent type.",
  );
  expect(await at.ann.read_file.execute({ path: "ran" }, call)).toMatch(/^MISSING_PATH/u);
});

test("no result or refusal names a path of the host", async () => {
  await using at = await openTools();
  const { list_files, read_file, search_text, write_file } = at.ann;
  await writeFile(join(at.root, "x"), "x");
  const results = [
    await list_files.execute({ depth: 3 }, call),
    await read_file.execute({ path: "not-there/x" }, call),
    await read_file.execute({ path: "x/y" }, call),
    await read_file.execute({ path: "link-file" }, call),
    await write_file.execute({ path: "folder", text: "" }, call),
    await search_text.execute({ pattern: "x" }, call),
  ];
  expect(JSON.stringify(results)).not.toContain(at.root);
});

test("an aborted call ends with a tool_error", async () => {
  await using at = await openTools();
  const aborted = { ...call, abortSignal: AbortSignal.abort() };
  expect(await at.ann.list_files.execute({}, aborted)).toMatch(/^tool_error: interrupted/u);
});

test("a model calls the tools through the SDK; an unknown key is refused by the schema", async () => {
  await using at = await openTools();
  const answers = [
    { toolName: "read_file", input: { path: "folder/a.txt" } },
    { toolName: "read_file", input: { path: "folder/a.txt", from: "Lead" } },
  ].map(({ toolName, input }, n) => ({
    content: [{ type: "tool-call" as const, toolCallId: `c${n}`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: "tool-calls" as const, raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  }));
  const model = new MockLanguageModelV4({ doGenerate: answers });
  const { steps } = await generateText({ model, tools: at.ann, prompt: "go", stopWhen: isStepCount(2) });
  expect(steps[0]?.toolResults[0]?.output).toMatchObject({ text: "alpha\n" });
  expect(steps[1]?.content.find(({ type }) => type === "tool-error")).toBeDefined();
  expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toEqual(Object.keys(at.ann));
});

test("descriptions and schemas stay what models were told", async () => {
  await using at = await openTools();
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "text", text: "ok" }],
      finishReason: { unified: "stop", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 1, text: 1, reasoning: undefined },
      },
      warnings: [],
    },
  });
  await generateText({ model, tools: at.ann, prompt: "go" });
  expect(model.doGenerateCalls[0]?.tools).toMatchSnapshot();
});
