import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { TeamError } from "../../errors/index.ts";
import type { KnownServer } from "./server-book.ts";

/** How long a server may take until it can be used; it reads its store first. */
const startMs = 30_000;
const greetingMs = 2_000;
const lookMs = 10;

/** What is in the folder of a server. */
export interface ServerFolder {
  readonly path: string;
  readonly config: string;
  readonly log: string;
}

/** Where things are in a folder. */
export const serverFolder = (path: string): ServerFolder => ({
  path,
  config: join(path, "server.conf"),
  log: join(path, "server.log"),
});

/** What is started: on `port`, or a free one when that is null. */
export interface ServerStart {
  readonly program: string;
  readonly folder: ServerFolder;
  readonly port: number | null;
  readonly token: string;
}

/** A server that this process has started. */
export interface StartedServer extends KnownServer {
  readonly pid: number;
  /** Resolves when it has ended, by whomever. */
  readonly ended: Promise<unknown>;
}

/**
 * Starts a server and resolves when it takes connections: on the loopback alone, for whoever has the token. It is not
 * ended by what the terminal sends to this process, and outlives it. Throws `bus_unavailable` with what the server wrote
 * when it doesn't come up; then none is left behind.
 */
export async function startServer({ program, folder, port, token }: ServerStart): Promise<StartedServer> {
  const ports = join(folder.path, "ports");
  rmSync(ports, { recursive: true, force: true });
  mkdirSync(ports, { recursive: true, mode: 0o700 });
  writeFileSync(folder.config, configOf(folder, { ports, port, token }), { mode: 0o600 });
  // A file and no pipe: a server whose pipe has no reader any more would end at its next line.
  const log = openSync(folder.log, "w", 0o600);
  const child = spawn(program, ["-c", folder.config], { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  child.unref();
  let isOver = false;
  // One that could not be started at all makes this reject.
  const over = (last: string): string => {
    isOver = true;
    return last;
  };
  const ended = once(child, "exit").then(
    () => over(lastLines(folder.log)),
    (error: unknown) => over(error instanceof Error ? error.message : String(error)),
  );
  const until = performance.now() + startMs;
  while (!isOver && performance.now() < until) {
    const found = portIn(ports);
    if (found !== null && child.pid !== undefined && (await greets(found))) {
      return { port: found, token, pid: child.pid, ended };
    }
    await pause(lookMs);
  }
  const isLate = !isOver;
  child.kill("SIGKILL");
  const last = await ended;
  const reason = `${program} did not start: ${isLate ? `it took more than ${startMs / 1_000} s` : last}`;
  throw new TeamError("bus_unavailable", { reason, next: `Look at ${folder.log}` });
}

/** JSON writes strings as the server's own format reads them. */
const quoted = (text: string): string => JSON.stringify(text);

const configOf = (
  { path }: ServerFolder,
  { ports, port, token }: { readonly ports: string; readonly port: number | null; readonly token: string },
): string => `# Written anew at each start.
listen: "127.0.0.1:${port ?? -1}"
authorization { token: ${quoted(token)} }
ports_file_dir: ${quoted(ports)}
pid_file: ${quoted(join(path, "server.pid"))}
jetstream { store_dir: ${quoted(join(path, "data"))} }
`;

/** The port that the server has written down; null while it has not. */
function portIn(ports: string): number | null {
  const file = readdirSync(ports).find((name) => name.endsWith(".ports"));
  if (file === undefined) return null;
  const found = /"nats"\s*:\s*\[\s*"nats:\/\/[^"]*:(\d+)"/.exec(readFileSync(join(ports, file), "utf8"));
  return found === null ? null : Number(found[1]);
}

/** Whether a server of NATS listens at a port of the loopback and has its say within two seconds. */
export const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port, timeout: greetingMs });
    const answer = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once("data", (data: Buffer) => answer(data.toString("latin1").startsWith("INFO ")));
    socket.once("timeout", () => answer(false));
    socket.once("error", () => answer(false));
    socket.once("close", () => resolve(false));
  });

/** The end of what it wrote, on one line. */
function lastLines(path: string): string {
  try {
    const lines = readFileSync(path, "utf8").trim().split("\n").slice(-3);
    return lines.join("; ").slice(-600) || "it ended without a word";
  } catch {
    // The folder is gone.
    return "it ended, and its log is gone";
  }
}
