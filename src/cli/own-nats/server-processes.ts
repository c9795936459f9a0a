import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

/** How long a server may take to put its store away before it is ended at once, which costs nothing that it acknowledged. */
const graceDefaultMs = 3_000;
const lookMs = 10;

/**
 * The processes that were started with this configuration file, whoever started them. By that a server is known for
 * certain: its number may belong to another process since, and whoever started it may have died before noting it.
 */
export function serversWith(config: string): readonly number[] {
  return commandLines()
    .filter(({ words }) => words.includes(config))
    .map(({ pid }) => pid)
    .filter((pid) => pid !== process.pid);
}

interface CommandLine {
  readonly pid: number;
  readonly words: { includes(word: string): boolean };
}

function commandLines(): readonly CommandLine[] {
  if (platform() === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), words: wordsOf(name) }));
  }
  const { stdout } = spawnSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8", timeout: 5_000 });
  return (stdout ?? "").split("\n").map((line) => ({ pid: Number.parseInt(line, 10), words: line }));
}

/** The words of a process; none when it has ended, or is somebody else's. */
function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Ends the servers of a configuration file and resolves when none is left: in order, and at once when that takes longer than `graceMs`. */
export async function endServers(config: string, graceMs = graceDefaultMs): Promise<void> {
  const until = performance.now() + graceMs;
  signalAll(serversWith(config), "SIGTERM");
  let left = serversWith(config);
  while (left.length > 0) {
    if (performance.now() > until) signalAll(left, "SIGKILL");
    await pause(lookMs);
    left = serversWith(config);
  }
}

/** Asks processes to end; one that has ended already is fine. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}
