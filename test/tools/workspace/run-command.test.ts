import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../../src/tools/workspace/run-command.ts";
import { defaultWorkspaceLimits, type WorkspaceLimits } from "../../../src/tools/workspace/workspace-limits.ts";
import { openTestWorkspace } from "./test-workspace.ts";

const node = process.execPath;

const run = (
  root: string,
  code: string,
  options: { timeoutMs?: number; limits?: Partial<WorkspaceLimits>; signal?: AbortSignal } = {},
) =>
  runCommand(
    { command: node, args: ["-e", code], timeoutMs: options.timeoutMs ?? null },
    { root, limits: { ...defaultWorkspaceLimits, ...options.limits }, signal: options.signal ?? null },
  );

/** Resolves when none of the processes runs any more. Killed ones need a moment to be gone. */
const allEnd = (pids: readonly number[]) => expect.poll(() => pids.filter(isRunning), { timeout: 5_000 }).toEqual([]);

/** Whether a process runs; one that ended and was not reaped (a zombie) does not. */
const isRunning = (pid: number): boolean => {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) Z /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
};

afterEach(() => {
  delete process.env["CANARY_SECRET"];
});

test("a program runs in the root; its exit code and both outputs are reported", async () => {
  await using at = await openTestWorkspace();
  const result = await run(at.root, "console.log(process.cwd()); console.error('err'); process.exitCode = 3");
  expect(result).toEqual({
    exitCode: 3,
    signal: null,
    timedOut: false,
    stdout: `${await realpath(at.root)}\n`,
    stderr: "err\n",
    note: null,
  });
});

test("the environment holds PATH, HOME, LANG and TMPDIR at most (S18)", async () => {
  await using at = await openTestWorkspace();
  process.env["CANARY_SECRET"] = "canary";
  const { stdout } = await run(at.root, "console.log(JSON.stringify(Object.keys(process.env)))");
  const names = (JSON.parse(stdout) as string[]).filter((name) => !["PATH", "HOME", "LANG", "TMPDIR"].includes(name));
  expect(names).toEqual([]);
});

test("there is no shell: arguments arrive as they are", async () => {
  await using at = await openTestWorkspace();
  const args = ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "; touch pwned", "$HOME", "a b", "`id`"];
  const { stdout } = await runCommand(
    { command: node, args, timeoutMs: null },
    { root: at.root, limits: defaultWorkspaceLimits, signal: null },
  );
  expect(JSON.parse(stdout)).toEqual(args.slice(2));
});

test("a program that reads its input gets none", async () => {
  await using at = await openTestWorkspace();
  const { stdout } = await run(at.root, "process.stdin.on('data', () => {}).on('end', () => console.log('end'))");
  expect(stdout).toBe("end\n");
});

test("outputBytesMax bytes are kept whole; of more the end is kept and the rest counted (S21)", async () => {
  await using at = await openTestWorkspace();
  const limits = { outputBytesMax: 5 };
  expect(await run(at.root, "process.stdout.write('12345')", { limits })).toMatchObject({
    stdout: "12345",
    note: null,
  });
  expect(await run(at.root, "process.stdout.write('é12345')", { limits })).toMatchObject({
    stdout: "12345",
    note: "The first 2 bytes of stdout are left out.",
  });
  const { stdout, note } = await run(at.root, "process.stdout.write('x'.repeat(3e6) + 'é1234')", { limits });
  expect(stdout).toBe("1234");
  expect(note).toBe("The first 3000002 bytes of stdout are left out.");
});

test("at the timeout the whole group is ended, children included", async () => {
  await using at = await openTestWorkspace();
  const code = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    console.log(process.pid, child.pid);
    setInterval(() => {}, 1000);`;
  const result = await run(at.root, code, { timeoutMs: 700 });
  expect(result).toMatchObject({ timedOut: true, exitCode: null, signal: "SIGTERM" });
  const pids = result.stdout.trim().split(" ").map(Number);
  expect(pids).toHaveLength(2);
  await allEnd(pids);
});

test("a program that ignores SIGTERM is ended by SIGKILL after killGraceMs", async () => {
  await using at = await openTestWorkspace();
  const code = "process.on('SIGTERM', () => console.log('ignored')); setInterval(() => {}, 1000)";
  expect(await run(at.root, code, { timeoutMs: 700, limits: { killGraceMs: 100 } })).toMatchObject({
    timedOut: true,
    signal: "SIGKILL",
    stdout: "ignored\n",
  });
});

test("what a program leaves in the background is ended with it", async () => {
  await using at = await openTestWorkspace();
  const code = `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    child.unref();
    console.log(child.pid);
    process.exit(0);`;
  const { exitCode, stdout } = await run(at.root, code);
  expect(exitCode).toBe(0);
  await allEnd([Number(stdout)]);
});

test("an abort ends the group and rejects with the reason", async () => {
  await using at = await openTestWorkspace();
  await mkdir(join(at.root, "out"));
  const controller = new AbortController();
  const code = "require('node:fs').writeFileSync('out/pid', String(process.pid)); setInterval(() => {}, 1000)";
  const running = run(at.root, code, { signal: controller.signal });
  const pid = await expect
    .poll(() => readFile(join(at.root, "out/pid"), "utf8").catch(() => ""), { timeout: 10_000 })
    .toMatch(/^\d+$/u)
    .then(() => readFile(join(at.root, "out/pid"), "utf8"));
  controller.abort(new Error("stop"));
  await expect(running).rejects.toThrow("stop");
  await allEnd([Number(pid)]);
});

test("an aborted signal starts nothing", async () => {
  await using at = await openTestWorkspace();
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(run(at.root, "require('node:fs').writeFileSync('x', '')", { signal })).rejects.toThrow("stop");
  expect(existsSync(join(at.root, "x"))).toBe(false);
});

test.each([
  ["is not there", { command: "no-such-program-here", args: [] }],
  ["is a whole command line", { command: "node --version", args: [] }],
  ["is empty", { command: "", args: [] }],
  ["holds a NUL", { command: node, args: ["a\0b"] }],
  ["has more arguments than the system takes", { command: node, args: ["x".repeat(3_000_000)] }],
])("a command that %s is refused as bad_input", async (_what, { command, args }) => {
  await using at = await openTestWorkspace();
  const options = { root: at.root, limits: defaultWorkspaceLimits, signal: null };
  await expect(runCommand({ command, args, timeoutMs: null }, options)).rejects.toMatchObject({ code: "bad_input" });
});

test("a timeout of commandMsMax is accepted, one more and zero are refused", async () => {
  await using at = await openTestWorkspace();
  const limits = { commandMsMax: 20_000 };
  expect(await run(at.root, "", { timeoutMs: 20_000, limits })).toMatchObject({ exitCode: 0 });
  await expect(run(at.root, "", { timeoutMs: 20_001, limits })).rejects.toMatchObject({ code: "bad_input" });
  await expect(run(at.root, "", { timeoutMs: 0, limits })).rejects.toMatchObject({ code: "bad_input" });
});
