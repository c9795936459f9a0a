import { expect, test } from "vitest";
import { openProject } from "../../../src/cli/demo/project.ts";
import { fileOf, projectOf } from "../../support/project-of.ts";

test("each file is parsed, looked at line by line, or not analysed with the reason", async () => {
  const project = await projectOf({
    "src/b.ts": "export const b = 1;",
    "src/a.js": "const =",
    "README.md": "# A",
    "src/types.d.ts": "export type A = 1;",
    "test/fixtures/x.ts": "eval(a)",
    "package-lock.json": "{}",
    "vendor/x.js": "eval(a)",
  });
  expect(project.modules.map(({ file }) => file.path)).toEqual(["src/b.ts"]);
  expect(project.unparsable.map(({ file, line, message }) => [file.path, line, message])).toEqual([
    ["src/a.js", 1, "Unexpected token"],
  ]);
  expect(project.smaller.map(({ file }) => file.path)).toEqual(["README.md", "src/a.js"]);
  expect(project.unanalysed).toEqual([
    { path: "package-lock.json", reason: "generated, minified or a lock file" },
    { path: "src/types.d.ts", reason: "type declarations only" },
    { path: "test/fixtures/x.ts", reason: "test fixture" },
    { path: "vendor/x.js", reason: "written by others (vendor folder)" },
  ]);
});

test("source nested too deeply for the analysis is unparsable, and the rest goes on", async () => {
  const project = await openProject([
    fileOf("deep.ts", "a = ".concat("[".repeat(900), "]".repeat(900))),
    fileOf("a.ts", "a;"),
  ]);
  expect(project.unparsable.map(({ file, message }) => [file.path, message])).toEqual([
    ["deep.ts", "Nested too deeply to be analysed"],
  ]);
  expect(project.modules).toHaveLength(1);
});

test("source that would end the parser's process is unparsable, and the rest goes on", async () => {
  const project = await openProject([fileOf("deep.ts", "(".repeat(200_000)), fileOf("a.ts", "a;")]);
  expect(project.unparsable.map(({ file }) => file.path)).toEqual(["deep.ts"]);
  expect(project.modules).toHaveLength(1);
});

test("an abort ends the opening with its reason", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(openProject([fileOf("a.ts", "a;")], { signal })).rejects.toThrow("enough");
});
