import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { teamchart } from "../../support/teamchart.ts";

const canary = "canary-7f3a9c51e8d24b60";

test("S18: a key of the environment is in no sink: not in --json, not in a recording, not in the results", async () => {
  const folder = await mkdtemp(join(tmpdir(), "redaction-"));
  try {
    const path = join(folder, "team.json");
    const say = `the key is ${canary}`;
    const file = {
      workspace: ".",
      team: {
        name: "T",
        members: [
          { name: "A", prompt: say },
          { name: "B", prompt: "b" },
        ],
      },
      script: {
        A: [
          { calls: [{ tool: "team_send_message", input: { to: "B", content: say } }] },
          { calls: [{ tool: "read_file", input: { path: say } }] },
          { calls: [{ tool: "complete", input: { summary: say } }] },
        ],
        B: [{ calls: [{ tool: "complete", input: { summary: "b" } }], delayMs: 50 }],
      },
    };
    await writeFile(path, JSON.stringify(file));
    const [record, out] = [join(folder, "run.ndjson"), join(folder, "out")];
    const run = await teamchart(["run", path, "--json", "--record", record, "--out", out], {
      env: { ANTHROPIC_API_KEY: canary },
    });
    expect(run.code).toBe(0);
    const sinks = [
      run.stdout,
      run.stderr,
      await readFile(record, "utf8"),
      await readFile(join(out, "result.json"), "utf8"),
    ];
    for (const sink of sinks) expect(sink).not.toContain(canary);
    // The recording is still one that can be folded again.
    expect((await teamchart(["replay", record])).code).toBe(0);
    const plain = await teamchart(["run", path], { env: { ANTHROPIC_API_KEY: canary } });
    expect(plain.stdout + plain.stderr).not.toContain(canary);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
