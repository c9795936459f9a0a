import { expect, test } from "vitest";
import { parseApart as parseAndUse, type ParseLimits } from "../../../../src/cli/demo/syntax/parse-apart.ts";
import { parseSource } from "../../../../src/cli/demo/syntax/parse-source.ts";
import type { SourceFile } from "../../../../src/cli/demo/source-file.ts";
import { fileOf } from "../../../support/project-of.ts";

/** The bare results. */
const parseApart = (files: readonly SourceFile[], given: ParseLimits) => parseAndUse(files, given, (result) => result);

const limits = { fileMs: 20_000, crashesMax: 3 };
const deep = (path: string) => fileOf(path, `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
const good = (path: string) => fileOf(path, "export const a = `\u2028`;\n");

test("results come in the order of the files, as the parser gives them in this process", async () => {
  const files = [fileOf("a.ts", "const a = 1n + b;"), fileOf("b.ts", "const ="), fileOf("c.tsx", "<a>\u2028é</a>")];
  const expected = files.map((file) => JSON.parse(JSON.stringify(parseSource(file), withoutBigInt)));
  expect(await parseApart(files, limits)).toEqual(expected);
});

const withoutBigInt = (_key: string, value: unknown) => (typeof value === "bigint" ? null : value);

test("source that ends the parser costs its own file only", async () => {
  const results = await parseApart([good("a.ts"), deep("b.ts"), good("c.ts"), deep("d.ts")], limits);
  expect(results.map(({ failure }) => failure?.message ?? null)).toEqual([
    null,
    "The parser broke off (SIGSEGV)",
    null,
    "The parser broke off (SIGSEGV)",
  ]);
});

test("after too many files that end the parser, the rest is not parsed, and says so", async () => {
  const results = await parseApart([deep("a.ts"), deep("b.ts"), good("c.ts")], { ...limits, crashesMax: 2 });
  expect(results.at(-1)).toEqual({
    program: null,
    failure: { line: 1, message: "Not parsed: 2 files before it ended the parser" },
  });
});

test("a file that takes too long is a failure", async () => {
  const [result] = await parseApart([good("a.ts")], { ...limits, fileMs: 0 });
  expect(result?.failure?.message).toBe("The parser needed more than 0 ms");
});

test("an abort ends the parsing with its reason", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(parseApart([good("a.ts")], { ...limits, signal })).rejects.toThrow("enough");
});

test("an abort on the way ends it too", async () => {
  const controller = new AbortController();
  const parsing = parseApart(
    Array.from({ length: 2_000 }, (_, i) => good(`${i}.ts`)),
    { ...limits, signal: controller.signal },
  );
  controller.abort(new Error("enough"));
  await expect(parsing).rejects.toThrow("enough");
});

test("what is made of each result comes back in order, with the file's number", async () => {
  const numbers = await parseAndUse([good("a.ts"), deep("b.ts"), good("c.ts")], limits, ({ failure }, i) => [
    i,
    failure === null,
  ]);
  expect(numbers).toEqual([
    [0, true],
    [1, false],
    [2, true],
  ]);
});

test("no files need no process", async () => {
  expect(await parseApart([], limits)).toEqual([]);
});
