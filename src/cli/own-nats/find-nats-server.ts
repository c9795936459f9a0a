import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { TeamError } from "../../errors/index.ts";

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const next =
  "Install one (Debian: apt-get install nats-server; macOS: brew install nats-server; else from nats.io), set NATS_SERVER to the path of one, or name one that runs: --bus nats://HOST:PORT";

/**
 * The nats-server of this machine: what NATS_SERVER names, one in PATH, or one in /usr/sbin, where Debian puts it.
 * Throws `bus_unavailable`, with what to do, where there is none.
 */
export function findNatsServer(env: NodeJS.ProcessEnv): string {
  const named = env["NATS_SERVER"];
  if (named !== undefined && named !== "") {
    if (isExecutable(named)) return named;
    throw new TeamError("bus_unavailable", { reason: `NATS_SERVER=${named}: there is no program of that path`, next });
  }
  const folders = [...(env["PATH"] ?? "").split(delimiter).filter(Boolean), "/usr/sbin"];
  const found = folders.map((folder) => join(folder, "nats-server")).find(isExecutable);
  if (found !== undefined) return found;
  throw new TeamError("bus_unavailable", { reason: "there is no nats-server in PATH or /usr/sbin", next });
}
