import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { compileCache } from "./compile-cache.ts";

/** The built command, as `npm test` builds it first. */
export const MAIN = join(import.meta.dirname, "../../dist/cli/main.js");

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that takes longer is ended, and its test fails. */
  readonly timeoutMs?: number;
  /** Called with every piece of stdout, to act on what is shown. */
  readonly onStdout?: (text: string, child: ChildProcess) => void;
  readonly onStderr?: (text: string, child: ChildProcess) => void;
}

/** The environment of a test: nobody's keys, settings or CI marks; and no file in the folder of the tests. */
const bareEnvironment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: "/nowhere",
  TEAMCHART_BUS: "memory",
  ...compileCache,
});

/** Runs `teamchart ...args` in a process of its own, without a terminal. */
export async function teamchart(
  args: readonly string[],
  { cwd, env = {}, timeoutMs = 60_000, onStdout, onStderr }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: cwd ?? process.cwd(),
    env: { ...bareEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    onStdout?.(text, child);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    onStderr?.(text, child);
  });
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(late);
  // A signal would be an end like another, and a command that hangs would pass.
  if (isLate) throw new Error(`teamchart ${args.join(" ")} took longer than ${timeoutMs} ms:\n${stdout}\n${stderr}`);
  return { code, stdout, stderr };
}

/** Stdout of `--json`, object by object. */
export const jsonLines = (stdout: string): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
