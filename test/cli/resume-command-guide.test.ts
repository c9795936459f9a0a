import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../repository/checks/code-blocks.ts";
import { jsonLines, teamchart } from "../support/teamchart.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const path = "docs/durable.md";
const text = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
const file = codeBlocks({ path, text }).find(({ language }) => language === "yaml");

test.each(["SIGINT", "SIGKILL"] as const)(
  "the guide's team file, ended by %s while Writer works, is gone on with, and Reader is not asked again",
  async (signal) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "team.yaml"), file?.text ?? "");
    const env = { TEAMCHART_BUS: "sqlite" };
    await teamchart(["run", "team.yaml", "--session", "review"], {
      cwd,
      env,
      onStdout: (shown, child) => shown.includes("Writer  blocked -> in_progress") && child.kill(signal),
    });
    const listed = await teamchart(["status"], { cwd, env });
    expect(listed.stdout).toBe("interrupted  review  Notes: 1 of 2 completed\n");
    const resumed = await teamchart(["resume", "review", "--json"], { cwd, env });
    expect(resumed.code).toBe(0);
    expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({
      outcome: "completed",
      members: [
        { name: "Reader", summary: "three notes", modelCalls: 1 },
        { name: "Writer", summary: "one summary", modelCalls: 1 },
      ],
    });
  },
);
