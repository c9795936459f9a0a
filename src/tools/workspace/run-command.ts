import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { TeamError } from "../../errors/index.ts";
import { systemCode } from "./system-error.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";

/** A program, its arguments and how long it may run. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number | null;
}

/** How a command ended. `exitCode` and `signal`: one of them is null. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** What of the output is not shown; null if nothing. */
  readonly note: string | null;
}

const passedOn = ["PATH", "HOME", "LANG", "TMPDIR"];
// How long output may still come from a process that left the group and holds the pipes open.
const drainMs = 500;

const reducedEnvironment = (environment: NodeJS.ProcessEnv): Record<string, string> => {
  const reduced: Record<string, string> = {};
  for (const name of passedOn) {
    const value = environment[name];
    if (value !== undefined) reduced[name] = value;
  }
  return reduced;
};

/** Keeps the end of a stream. */
class Tail {
  readonly #bytesMax: number;
  readonly #chunks: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;

  /** `stream` is missing when the system had no more file handles for it; the child then never starts. */
  constructor(stream: Readable | null, bytesMax: number) {
    this.#bytesMax = bytesMax;
    stream?.on("data", (chunk: Buffer) => this.#add(chunk));
    stream?.on("error", () => {
      // The pipe is closed when the command is given up; what came until then is kept.
    });
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#keptBytes += chunk.length;
    for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
      if (this.#keptBytes - first.length < this.#bytesMax) break;
      this.#chunks.shift();
      this.#keptBytes -= first.length;
    }
  }

  /** The last `bytesMax` bytes as text, and how many came before them. */
  read(): { readonly text: string; readonly leftOut: number } {
    const all = Buffer.concat(this.#chunks);
    let start = Math.max(0, all.length - this.#bytesMax);
    // Not in the middle of a character.
    while (start > 0 && start < all.length && ((all[start] ?? 0) & 0xc0) === 0x80) start += 1;
    const kept = all.subarray(start);
    return { text: kept.toString("utf8"), leftOut: this.#bytes - kept.length };
  }
}

const killGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: all of them have ended. EPERM: what is left runs as somebody else (setuid) and is not ours to end.
  }
};

const checked = ({ command, args, timeoutMs }: Command, limits: WorkspaceLimits): number => {
  const bad = (what: string, problem: string) => new TeamError("bad_input", { what, problem });
  if (command === "") throw bad("command", "it is empty");
  if ([command, ...args].some((part) => part.includes("\0"))) throw bad("command", "it contains a NUL character");
  const wanted = timeoutMs ?? limits.commandMs;
  if (!Number.isSafeInteger(wanted) || wanted < 1 || wanted > limits.commandMsMax) {
    throw bad("timeoutMs", `${wanted} is not between 1 and ${limits.commandMsMax}`);
  }
  return wanted;
};

const cannotStart = (error: unknown, command: string): TeamError => {
  const problem =
    systemCode(error) === "ENOENT"
      ? "there is no such program; there is no shell, so give the program alone and its arguments in args"
      : `it cannot be started (${systemCode(error) ?? "unknown"})`;
  const what = `the command "${command.slice(0, 200).toWellFormed()}"`;
  return new TeamError("bad_input", { what, problem }, { cause: error });
};

/** Starts the program; a failure to do so is the caller's to mend. */
const launch = async ({ command, args }: Command, root: string, outputBytesMax: number) => {
  try {
    const child: ChildProcess = spawn(command, [...args], {
      cwd: root,
      env: reducedEnvironment(process.env),
      shell: false,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    // Listening at once: a failure to start is an event, too.
    const spawned = once(child, "spawn");
    const [stdout, stderr] = [new Tail(child.stdout, outputBytesMax), new Tail(child.stderr, outputBytesMax)];
    await spawned;
    // A child that spawned has a process id.
    return { child, pid: child.pid as number, stdout, stderr };
  } catch (error) {
    throw cannotStart(error, command);
  }
};

/** Waits for the end of `child`; `stop` or `timeoutMs` ends its whole group first, gently and then by force. */
const ended = async (
  child: ChildProcess,
  pid: number,
  options: { readonly killGraceMs: number; readonly timeoutMs: number; readonly stop: AbortSignal | null },
): Promise<{ readonly timedOut: boolean }> => {
  const { killGraceMs, timeoutMs, stop } = options;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const closed = new Promise((resolve) => child.once("close", resolve));
  let timedOut = false;
  let force: NodeJS.Timeout | null = null;
  const end = (): void => {
    force ??= setTimeout(() => killGroup(pid, "SIGKILL"), killGraceMs);
    killGroup(pid, "SIGTERM");
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  stop?.addEventListener("abort", end, { once: true });
  if (stop?.aborted === true) end();
  await exited;
  clearTimeout(timer);
  if (force !== null) clearTimeout(force);
  stop?.removeEventListener("abort", end);
  // What it left running in the background would otherwise outlive the call.
  killGroup(pid, "SIGKILL");
  const drained = Promise.withResolvers<void>();
  const drain = setTimeout(drained.resolve, drainMs);
  await Promise.race([closed, drained.promise]);
  clearTimeout(drain);
  return { timedOut };
};

const noteOf = (leftOut: { readonly stdout: number; readonly stderr: number }): string | null => {
  const notes = Object.entries(leftOut).filter(([, bytes]) => bytes > 0);
  if (notes.length === 0) return null;
  return notes.map(([stream, bytes]) => `The first ${bytes} bytes of ${stream} are left out.`).join(" ");
};

/**
 * Runs a program in the folder `root`: without a shell, without input, with no environment but PATH, HOME, LANG and
 * TMPDIR, in a process group of its own that is ended with the call. It is not a sandbox: the program can do whatever
 * the user can who runs this process.
 *
 * Rejects with the reason of `signal` once the command has ended when that aborts.
 */
export const runCommand = async (
  command: Command,
  options: { readonly root: string; readonly limits: WorkspaceLimits; readonly signal: AbortSignal | null },
): Promise<CommandResult> => {
  const { root, limits, signal } = options;
  const timeoutMs = checked(command, limits);
  signal?.throwIfAborted();
  if (process.platform === "win32") {
    throw new TeamError("disabled", {
      what: "execute",
      how: "Do without it; it needs process groups, which Windows has not",
    });
  }
  const { child, pid, stdout, stderr } = await launch(command, root, limits.outputBytesMax);
  const { timedOut } = await ended(child, pid, { killGraceMs: limits.killGraceMs, timeoutMs, stop: signal });
  child.stdout?.destroy();
  child.stderr?.destroy();
  signal?.throwIfAborted();
  const [out, err] = [stdout.read(), stderr.read()];
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    timedOut,
    stdout: out.text,
    stderr: err.text,
    note: noteOf({ stdout: out.leftOut, stderr: err.leftOut }),
  };
};
