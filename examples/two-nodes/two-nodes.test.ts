import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countOnWorkers } from "./main.ts";

test("the counters run in worker processes, and the workers end when they are asked to", async () => {
  const folder = mkdtempSync(join(tmpdir(), "teamchart-two-nodes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "two-nodes.db");
  const workers = [1, 2].map(() => {
    const child = spawn(
      process.execPath,
      ["--conditions=@teamchart/source", join(import.meta.dirname, "worker.ts"), path],
      { env: { PATH: process.env["PATH"] ?? "" }, stdio: ["ignore", "pipe", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, exit: once(child, "exit"), started: once(child.stdout, "data") };
  });
  expect(await countOnWorkers(path)).toMatch(/^completed: 6 words, 4 words; by [12] processes$/);
  // One that is asked before it listens would be ended by the signal.
  await Promise.all(workers.map(({ started }) => started));
  await new Promise((resolve) => setImmediate(resolve));
  for (const { child } of workers) child.kill("SIGTERM");
  const exits = await Promise.all(workers.map(({ exit }) => exit));
  expect(exits.every(([code, signal]) => code === 0 || signal === "SIGTERM")).toBe(true);
});
