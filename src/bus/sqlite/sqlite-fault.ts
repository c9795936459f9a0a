import { isTeamError, TeamError } from "../../errors/index.ts";

/** SQLite's primary result codes that say what is to be done. */
const codes = { busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 } as const;

const freeSpace = "Free some space; what was not stored is tried again";
const otherFile = "Move the file away, or name another one; a copy of before can be put in its place";

/** What is wrong and what to do, by SQLite's code or the operating system's. */
const meanings: Readonly<Record<number | string, readonly [problem: string, next: string]>> = {
  [codes.busy]: ["another process has held it for too long", "Try again, or end that process"],
  [codes.readOnly]: ["it can't be written", "Give this user the right to write the file and its folder"],
  [codes.io]: ["it could not be read or written", "Look at the disk and its mount; nothing that was stored is lost"],
  [codes.corrupt]: ["it is damaged", otherFile],
  [codes.full]: ["there is no room left for it", freeSpace],
  [codes.cantOpen]: ["it can't be opened", "Give this user the right to write the file and its folder"],
  [codes.notADatabase]: ["it is no SQLite database", otherFile],
  EACCES: ["this user may not open it", "Give this user the right to write the file and its folder"],
  EPERM: ["this user may not open it", "Give this user the right to write the file and its folder"],
  EROFS: ["its file system is read-only", "Name a file where this user may write"],
  ENOSPC: ["there is no room left for it", freeSpace],
  EISDIR: ["it is a folder", "Name a file"],
  EEXIST: ["a part of its path is a file", "Name a file in a folder"],
  ENOTDIR: ["a part of its path is a file", "Name a file in a folder"],
};

/** SQLite's primary code of an error, or null. */
function codeOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return null;
  return typeof error.errcode === "number" ? error.errcode & 0xff : null;
}

/** Whether somebody else holds the file just now. */
export const isBusy = (error: unknown): boolean => codeOf(error) === codes.busy;

/** A fault of the file as its users meet it: `bus_unavailable`, with the file, what is wrong with it and what to do. */
export function sqliteFault(path: string, error: unknown): TeamError {
  if (isTeamError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const system = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  const [problem, next] = meanings[codeOf(error) ?? system] ?? [message, undefined];
  const reason = `${path}: ${problem}${problem === message ? "" : ` (${message})`}`;
  return new TeamError("bus_unavailable", next === undefined ? { reason } : { reason, next }, { cause: error });
}
