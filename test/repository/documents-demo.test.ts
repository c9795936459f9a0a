import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { teamchart } from "../support/teamchart.ts";
import { codeBlocks } from "./checks/code-blocks.ts";
import { ROOT } from "./checks/source-file.ts";

const folder = "examples/auth-review/workspace";

/** What differs from one run to the next: its name, how long it took, and who of those at work at once came first. */
const settled = (text: string): readonly string[] =>
  text
    .replaceAll(/\d{8}-\d{6}-[0-9a-f]{6}/g, "SESSION")
    .replaceAll(/\d+\.\d s$/gm, "N s")
    .split("\n")
    .toSorted();

test("the README shows the demo as it looks", async () => {
  const shown = codeBlocks({ path: "README.md", text: readFileSync(join(ROOT, "README.md"), "utf8") });
  const demo = shown.find(({ marks }) => marks.includes("demo"));
  const cwd = mkdtempSync(join(tmpdir(), "teamchart-readme-"));
  try {
    // Its source alone: the example leaves a report beside it when it has been run.
    cpSync(join(ROOT, folder, "src"), join(cwd, folder, "src"), { recursive: true });
    const { code, stdout } = await teamchart(["demo", folder], { cwd });
    expect(settled(stdout)).toEqual(settled(demo?.text ?? ""));
    expect(code).toBe(0);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});
