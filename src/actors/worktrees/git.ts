import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { isObject } from "../is-object.ts";

/** One call of git that ended. */
export interface GitEnd {
  /** 0 = done. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing that a program was started with may lead git to another repository, ask somebody, or speak another language. */
const passedOn = ["PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "SSH_AUTH_SOCK"];

const environment = (): Record<string, string> => ({
  ...Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
});

/** Programs that a repository may name are not run: members can write files, and that must not let them run programs. */
const settings = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${devNull}`];

const outputBytesMax = 16 * 1024 * 1024;
/** A checkout of a large repository takes its time; what takes longer hangs. */
const gitMs = 120_000;

/**
 * Runs git with these arguments in the folder `cwd`, without a shell. Resolves with how it ended; rejects when it can't be
 * started or takes longer than two minutes.
 */
export function runGit(cwd: string, args: readonly string[]): Promise<GitEnd> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: environment(), maxBuffer: outputBytesMax, timeout: gitMs } as const;
    execFile("git", [...settings, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === "number") resolve({ code: error.code, stdout, stderr });
      else reject(error instanceof Error ? error : new Error("git could not be run"));
    });
  });
}

/** Why git could not be started, in words. */
export function cannotRunGit(error: unknown): string {
  const code: unknown = isObject(error) ? Reflect.get(error, "code") : undefined;
  if (code === "ENOENT") return "there is no git on this machine's PATH";
  return `git cannot be run (${typeof code === "string" ? code : "it took too long"})`;
}

/** What git complained of, in one line. */
export function complaintOf({ stderr }: GitEnd): string {
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Preparing worktree"));
  return lines
    .map((line) => line.replace(/^(?:fatal|error): /u, ""))
    .join("; ")
    .slice(0, 300)
    .toWellFormed();
}
