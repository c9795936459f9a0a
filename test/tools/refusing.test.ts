import type { ToolExecutionOptions } from "ai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { refusal, TeamError } from "../../src/errors/index.ts";
import { refusing } from "../../src/tools/refusing.ts";

const call: ToolExecutionOptions<unknown> = { toolCallId: "c1", messages: [], context: undefined };

const throwing = (thrown: unknown) =>
  refusing(() => {
    throw thrown;
  })(null, call);

test("a result passes through, a promised one as well", async () => {
  expect(await refusing(() => ({ a: 1 }))(null, call)).toEqual({ a: 1 });
  expect(await refusing(async (n: number) => n + 1)(1, call)).toBe(2);
});

test("a TeamError becomes its refusal text; several problems a line each", async () => {
  expect(await throwing(new TeamError("missing_path", { path: "x" }))).toBe(
    'MISSING_PATH: there is no "x". Do: Look with list_files, then name a path that exists.',
  );
  const both = TeamError.from([refusal("missing_path", { path: "x" }), refusal("no_team", {})]);
  expect(await throwing(both)).toMatch(/^MISSING_PATH: .*\nNO_TEAM: .*\.$/u);
});

test("any other error becomes a tool_error of one short line", async () => {
  expect(await throwing(new Error("a\n  b"))).toBe("tool_error: a b");
  expect(await throwing(new TypeError(""))).toBe("tool_error: TypeError");
  expect(await throwing(new Error("x".repeat(1_000)))).toBe(`tool_error: ${"x".repeat(300)}...`);
});

test("whatever is thrown, the call resolves with a text", async () => {
  const hostile = [
    null,
    undefined,
    Object.create(null),
    Symbol("s"),
    {
      toString: () => {
        throw new Error("again");
      },
    },
    Object.defineProperty(new Error("x"), "message", {
      get: () => {
        throw new Error("again");
      },
    }),
    Object.defineProperty(new Error("x"), "message", { value: 7 }),
  ];
  for (const thrown of hostile) expect(await throwing(thrown)).toMatch(/^tool_error: ./u);
  await fc.assert(
    fc.asyncProperty(fc.anything(), async (thrown) => {
      expect(await throwing(thrown)).toMatch(/^tool_error: ./u);
    }),
  );
});

test("a failure after the abort says that the call was interrupted", async () => {
  const aborted = { ...call, abortSignal: AbortSignal.abort() };
  const execute = refusing(() => {
    throw new Error("x");
  });
  expect(await execute(null, aborted)).toMatch(/^tool_error: interrupted/u);
});
