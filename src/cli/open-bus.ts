import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { sqliteBus } from "../bus/sqlite.ts";
import type { Bus } from "../bus/bus.ts";
import { TeamError } from "../errors/index.ts";

/** The file of the sqlite bus, where `--bus` names none. */
const defaultPath = join(".teamchart", "teamchart.db");

/** The bus of a command; disposing of it closes it. */
export interface CommandBus extends AsyncDisposable {
  /** null = in the memory of this process. */
  readonly bus: Bus | null;
}

/** The file that a `--bus` stands for, absolute; null for one in memory. */
const busPath = (setting: string, cwd: string): string | null =>
  setting === "memory" ? null : resolve(cwd, setting.slice("sqlite:".length) || defaultPath);

/** Whether the file of a `--bus` is there. */
export const hasBus = (setting: string, cwd: string): boolean => {
  const path = busPath(setting, cwd);
  return path !== null && existsSync(path);
};

/** Refuses a session that can't be on this bus: one in memory, or on a file that isn't there. */
export function requireStored(session: string, setting: string, cwd: string): void {
  if (setting === "memory") {
    const problem = "a session in memory ended with its process; name the sqlite bus";
    throw new TeamError("bad_input", { what: "--bus memory", problem });
  }
  if (!hasBus(setting, cwd)) throw new TeamError("unknown_session", { session });
}

/** Opens the bus that `--bus` names; a file that can't be had is `bus_unavailable`. */
export function openBus(
  setting: string,
  { cwd, onFault }: { readonly cwd: string; readonly onFault: (fault: unknown) => void },
): CommandBus {
  const path = busPath(setting, cwd);
  const bus = path === null ? null : sqliteBus({ path, onError: onFault });
  return { bus, [Symbol.asyncDispose]: () => bus?.close() ?? Promise.resolve() };
}

/** How a session on this bus is gone on with, as it is typed; null when it ends with its process. */
export const resumeWords = (session: string, setting: string): string | null =>
  setting === "memory" ? null : `teamchart resume ${session}${setting === "sqlite" ? "" : ` --bus ${setting}`}`;
