import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt, literalMatcher } from "../../../src/tools/workspace/line-matcher.ts";
import { regexMatcher } from "../../../src/tools/workspace/regex-matcher.ts";
import type { WorkspaceLimits } from "../../../src/tools/workspace/workspace-limits.ts";
import { openTestWorkspace } from "./test-workspace.ts";

const catastrophic = { pattern: "^(a+)+$", isRegex: true };
const trap = `${"a".repeat(40)}b`;

const openWith = async (files: Record<string, string | Buffer>, limits: Partial<WorkspaceLimits> = {}) => {
  const at = await openTestWorkspace({ limits });
  for (const [name, content] of Object.entries(files)) await writeFile(join(at.root, name), content);
  return Object.assign(at, { ann: at.workspace.for("Ann") });
};

test("a pattern is literal unless it is called a regex", async () => {
  await using at = await openWith({ x: "a.c\nabc\r\nA.C\n" });
  expect(await at.ann.search({ pattern: "a.c" })).toEqual({
    matches: [{ path: "x", line: 1, text: "a.c" }],
    filesSearched: 2,
    isComplete: true,
    note: null,
  });
  expect((await at.ann.search({ pattern: "^a.c$", isRegex: true })).matches).toEqual([
    { path: "x", line: 1, text: "a.c" },
    { path: "x", line: 2, text: "abc" },
  ]);
});

test("a regex is Unicode-aware where it can be, and stray escapes are accepted", async () => {
  await using at = await openWith({ x: "日本\na-b\n" });
  expect((await at.ann.search({ pattern: "^\\p{L}+$", isRegex: true, path: "x" })).matches).toHaveLength(1);
  expect((await at.ann.search({ pattern: "a\\-b", isRegex: true, path: "x" })).matches).toHaveLength(1);
});

test("a regex with exponential backtracking ends at searchMs, says so, and meanwhile others go on (S21)", async () => {
  await using at = await openWith({ a: trap, b: "aaa" }, { searchMs: 300 });
  let turns = 0;
  const counter = setInterval(() => (turns += 1), 5);
  const result = await at.ann.search(catastrophic);
  clearInterval(counter);
  expect(result).toMatchObject({ matches: [], isComplete: false });
  expect(result.note).toContain("Stopped after 300 ms");
  expect(turns).toBeGreaterThan(5);
});

test("an abort ends a regex with exponential backtracking", async () => {
  await using at = await openWith({ a: trap });
  const controller = new AbortController();
  const searched = at.ann.search({ ...catastrophic, signal: controller.signal });
  setImmediate(() => controller.abort(new Error("stop")));
  await expect(searched).rejects.toThrow("stop");
});

test("a plain search ends at searchMs with what it has", async () => {
  await using at = await openWith({ a: "x" }, { searchMs: 0 });
  await mkdir(join(at.root, "many"));
  for (let n = 0; n < 300; n += 1) await writeFile(join(at.root, `many/${n}`), "x");
  expect(await at.ann.search({ pattern: "x" })).toMatchObject({ isComplete: false });
});

test.each([
  ["empty", { pattern: "" }],
  ["too long", { pattern: "x".repeat(1_001) }],
  ["a too long regex", { pattern: "x".repeat(1_001), isRegex: true }],
  ["of two lines", { pattern: "a\nb" }],
  ["no regular expression", { pattern: "(", isRegex: true }],
])("a pattern that is %s is refused as bad_input", async (_what, query) => {
  await using at = await openWith({ a: trap });
  await expect(at.ann.search(query)).rejects.toMatchObject({ code: "bad_input" });
});

test("a regex whose thread ends early fails and does not wait for ever", async () => {
  const matcher = regexMatcher(catastrophic.pattern);
  const matched = matcher.match(trap, 1, new AbortController().signal);
  await Promise.all([expect(matched).rejects.toMatchObject({ code: "bad_input" }), matcher[Symbol.asyncDispose]()]);
});

test("a pattern of patternCharsMax characters is accepted", async () => {
  await using at = await openWith({});
  expect(await at.ann.search({ pattern: "x".repeat(1_000) })).toMatchObject({ matches: [] });
});

test("searchMatchesMax lines are shown; of one more the number is said (S21)", async () => {
  await using at = await openWith({ a: "x\nx\n", b: "x\n" }, { searchMatchesMax: 3 });
  expect(await at.ann.search({ pattern: "x" })).toMatchObject({ note: null });
  await writeFile(join(at.root, "b"), "x\nx\n");
  for (const isRegex of [false, true]) {
    const { matches, note } = await at.ann.search({ pattern: "x", isRegex });
    expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual(["a:1", "a:2", "b:1"]);
    expect(note).toBe("1 more matching lines are not shown.");
  }
});

test("binary files, files above searchFileBytesMax and skipped folders are counted, not searched", async () => {
  await using at = await openWith(
    { binary: Buffer.from("x\0"), large: "x".repeat(11), fits: "x".repeat(10) },
    { searchFileBytesMax: 10 },
  );
  await mkdir(join(at.root, ".git"));
  const { matches, note } = await at.ann.search({ pattern: "x" });
  expect(matches.map(({ path }) => path)).toEqual(["fits"]);
  expect(note).toBe(
    "1 binary files were left out. 1 files above 10 bytes were left out. Not looked into: .git; name one as path to do so.",
  );
});

test("folders below depthMax are not searched, and that is said", async () => {
  await using at = await openWith({}, { depthMax: 1 });
  expect(await at.ann.search({ pattern: "alpha" })).toMatchObject({
    matches: [],
    isComplete: false,
    note: "1 folders are too deep and were not searched.",
  });
});

test("a long line is shown around its match", () => {
  const line = `${"x".repeat(500)}needle${"y".repeat(500)}`;
  const shown = excerpt(line, 500);
  expect(shown).toContain("needle");
  expect(shown).toHaveLength(206);
  expect(excerpt("short\r", 0)).toBe("short");
});

test("the literal matcher finds exactly the lines that contain the text, for any text", async () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 40 });
  const wanted = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(letters, wanted, async (text, pattern) => {
      const expected = text
        .split("\n")
        .flatMap((line, i) => (line.includes(pattern) ? [{ line: i + 1, text: line }] : []));
      const found = await literalMatcher(pattern).match(text, 3, new AbortController().signal);
      expect(found).toEqual({ lines: expected.slice(0, 3), count: expected.length });
    }),
  );
});
