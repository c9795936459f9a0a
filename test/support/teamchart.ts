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
  /** A command that takes longer is ended. */
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
  { cwd, env = {}, timeoutMs = 25_000, onStdout, onStderr }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: cwd ?? process.cwd(),
    env: { ...bareEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
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
  return { code, stdout, stderr };
}

/** Stdout of `--json`, object by object. */
export const jsonLines = (stdout: string): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
