import { existsSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { sqliteBus } from "../bus/sqlite.ts";
import { sqliteFault } from "../bus/sqlite/sqlite-fault.ts";
import type { Bus } from "../bus/bus.ts";
import type { NatsConnectOptions } from "../bus/nats/connect-options.ts";
import { TeamError } from "../errors/index.ts";
import { makeOwnFolder, ownFolder } from "../tools/workspace/own-folder.ts";
import { ownServerPath, useOwnServer } from "./own-nats/use-own-server.ts";

/** The file of the sqlite bus, where `--bus` names none. */
const defaultPath = join(ownFolder, "teamchart.db");

/** The bus of a command; disposing of it closes it. */
export interface CommandBus extends AsyncDisposable {
  /** null = in the memory of this process. */
  readonly bus: Bus | null;
}

/** One that outlives the process. */
interface StoredBus extends CommandBus {
  readonly bus: Bus;
}

/** Whether a `--bus` names a server by its address. */
export const isServer = (setting: string): boolean => /^(?:nats|tls):\/\//.test(setting);

/** The file of a `--bus` that is one, absolute; null for one in memory. */
function busPath(setting: string, cwd: string): string | null {
  if (setting === "memory") return null;
  return setting === "nats" ? ownServerPath(cwd) : resolve(cwd, setting.slice("sqlite:".length) || defaultPath);
}

/** Whether what a `--bus` keeps its sessions in is there; whether a server is shows when it is asked. */
export const hasBus = (setting: string, cwd: string): boolean => {
  if (isServer(setting)) return true;
  const path = busPath(setting, cwd);
  return path !== null && existsSync(path);
};

/** Refuses a session that can't be on this bus: one in memory, or on a file that isn't there. */
function requireStored(session: string, setting: string, cwd: string): void {
  if (setting === "memory") {
    const problem = "a session in memory ended with its process; name the sqlite bus";
    throw new TeamError("bad_input", { what: "--bus memory", problem });
  }
  if (!hasBus(setting, cwd)) throw new TeamError("unknown_session", { session });
}

/** Where a command finds its bus. */
export interface BusPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onFault: (fault: unknown) => void;
}

/** Opens the bus that `--bus` names; a file or a server that can't be had is `bus_unavailable`. */
export async function openBus(setting: string, { cwd, env, onFault }: BusPlace): Promise<CommandBus> {
  if (setting === "nats") return openOwnNats({ cwd, env, onFault });
  const path = isServer(setting) ? null : busPath(setting, cwd);
  let bus: Bus | null = null;
  if (isServer(setting)) bus = await openNats(setting, env, onFault);
  else if (path !== null) bus = await openFile(path, cwd, onFault);
  return { bus, [Symbol.asyncDispose]: () => bus?.close() ?? Promise.resolve() };
}

/** A bus in a file, which nobody commits where it lies in the folder of its own. */
async function openFile(path: string, cwd: string, onError: BusPlace["onFault"]): Promise<Bus> {
  try {
    if (path.startsWith(join(cwd, ownFolder, sep))) await makeOwnFolder(cwd);
  } catch (fault) {
    throw sqliteFault(path, fault);
  }
  return sqliteBus({ path, onError });
}

/** A bus on a server of the folder's own, which ends with the last command that uses it. */
async function openOwnNats(place: BusPlace): Promise<StoredBus> {
  const server = await useOwnServer(place);
  try {
    const { natsBus } = await import("../bus/nats.ts");
    const { url, token } = server;
    const bus = await natsBus({ servers: url, credentials: { token }, onError: place.onFault });
    const close = async (): Promise<void> => {
      await bus.close();
      await server.close();
    };
    return { bus, [Symbol.asyncDispose]: close };
  } catch (fault) {
    await server.close();
    throw fault;
  }
}

/** The bus that holds a stored session; `unknown_session` where none can. */
export async function openBusOf(session: string, setting: string, place: BusPlace): Promise<StoredBus> {
  requireStored(session, setting, place.cwd);
  const opened = await openBus(setting, place);
  const { bus } = opened;
  if (bus === null) throw new TeamError("unknown_session", { session });
  return { bus, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

async function openNats(setting: string, env: NodeJS.ProcessEnv, onError: BusPlace["onFault"]): Promise<Bus> {
  // Whoever needs no server loads nothing of its client.
  const { natsBus } = await import("../bus/nats.ts");
  return natsBus({ ...serverOptions(setting, env), onError });
}

/** Who connects stands in the environment alone: what is typed is seen by others, and is printed again. */
export function serverOptions(servers: string, env: NodeJS.ProcessEnv): NatsConnectOptions {
  const given = (name: string): string | undefined => {
    const value = env[`TEAMCHART_NATS_${name}`];
    // Set to nothing is how a shell takes a variable back.
    return value === "" ? undefined : value;
  };
  const credentials = {
    user: given("USER"),
    password: given("PASSWORD"),
    token: given("TOKEN"),
    nkeySeed: given("NKEY_SEED"),
    credentialsFile: given("CREDENTIALS"),
  };
  const caFile = given("CA");
  const inboxPrefix = given("INBOX_PREFIX");
  return {
    servers: servers.split(","),
    // What is not set is not given.
    credentials: Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== undefined)),
    ...(caFile === undefined ? {} : { tls: { caFile } }),
    ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
  };
}

/** How a session on this bus is gone on with, as it is typed; null when it ends with its process. */
export const resumeWords = (session: string, setting: string): string | null =>
  setting === "memory" ? null : `teamchart resume ${session}${setting === "sqlite" ? "" : ` --bus ${setting}`}`;
