import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const cli = join(import.meta.dirname, "../../dist/cli/main.js");

test("the four members review the module and the Reporter writes their findings down", async () => {
  const folder = await mkdtemp(join(tmpdir(), "auth-review-"));
  try {
    await cp(import.meta.dirname, folder, { recursive: true });
    const run = spawnSync(process.execPath, [cli, "run", join(folder, "team.yaml"), "--json"], { encoding: "utf8" });
    const lines = run.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string });
    expect(run.status).toBe(0);
    expect(lines.at(-1)).toMatchObject({
      type: "result",
      outcome: "completed",
      members: [
        { name: "SecurityReviewer", status: "completed" },
        { name: "PerfAnalyzer", status: "completed" },
        { name: "TestReviewer", status: "completed" },
        { name: "Reporter", status: "completed", paths: ["REVIEW.md"] },
      ],
    });
    expect(await readFile(join(folder, "workspace", "REVIEW.md"), "utf8")).toContain("src/callback.ts:5");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
