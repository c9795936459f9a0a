import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, platform } from "node:os";

/** What tells a process from every other one, also from a later one of the same number. */
export interface ProcessMark {
  /** Where the number counts: a boot of a machine, and there a space of processes (each container has its own). */
  readonly place: string;
  readonly pid: number;
  /** When it started, as the system says it; "" where it doesn't. */
  readonly started: string;
}

/** Its state and its start stand behind the name, which may hold anything. */
const startField = 19;

/** When a process started; null when there is none of this number, "" when that can't be known. */
function startOf(pid: number): string | null {
  if (platform() === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // A zombie has ended; only its parent has not taken note yet.
      return fields[0] === "Z" || fields[0] === "X" ? null : (fields[startField] ?? "");
    } catch {
      return isThere(pid) ? "" : null;
    }
  }
  if (!isThere(pid)) return null;
  if (platform() === "win32") return "";
  const { status, stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: 2_000,
  });
  return status === 0 ? stdout.trim() : "";
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One that belongs to somebody else is there, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function placeOf(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    // No Linux, or one that shows none of this: the machine's name has to do.
    return hostname();
  }
}

/** The mark of this process. */
export const markThisProcess = (): ProcessMark => ({
  place: placeOf(),
  pid: process.pid,
  started: startOf(process.pid) ?? "",
});

/** Whether a process has certainly ended. False wherever that can't be known from here. */
export function hasEnded({ place, pid, started }: ProcessMark, here: Pick<ProcessMark, "place">): boolean {
  if (place !== here.place) return false;
  const now = startOf(pid);
  return now === null || (now !== "" && started !== "" && now !== started);
}
