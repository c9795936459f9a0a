import { spawnSync } from "node:child_process";
import { isTeamError } from "../../errors/index.ts";
import { knownHoles, mendedServer } from "../../bus/nats/advisories.ts";
import type { ServerReport } from "../../bus/nats/examine-server.ts";
import { findNatsServer } from "../own-nats/find-nats-server.ts";
import { isServer, serverOptions } from "../open-bus.ts";
import type { Check } from "./check.ts";

/** What a server takes by itself; what is cut into parts counts on it. */
const payloadBytes = 1_048_576;
/** Streams that a bus makes. */
const streamsNeeded = 3;
const roomBytes = 64 * 1_048_576;
/** Deadlines are dated by the clocks of the machines, so they should agree by less than the shortest of them. */
const clockMs = 5_000;

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;

/** Whether the server that `--bus` names can be used and is safe to use. Nothing is stored or started for the asking. */
export async function checkBus(setting: string, env: NodeJS.ProcessEnv): Promise<Check[]> {
  if (setting === "nats") return checkOwn(env);
  if (!isServer(setting)) return [];
  const { examineServer } = await import("../../bus/nats/examine-server.ts");
  try {
    // What the server complains of meanwhile is in its answers.
    return checksOf(await examineServer(serverOptions(setting, env), () => {}));
  } catch (fault) {
    return [missing(fault)];
  }
}

function missing(fault: unknown): Check {
  if (!isTeamError(fault)) throw fault;
  const { reason: text, next = null } = isTeamError(fault, "bus_unavailable") ? fault.data : { reason: fault.message };
  return { name: "nats-server", state: "missing", text, next };
}

/** The program that `--bus nats` would start. */
function checkOwn(env: NodeJS.ProcessEnv): Check[] {
  try {
    const program = findNatsServer(env);
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 5_000 });
    const version = /v?(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1];
    if (version === undefined) {
      const next = "set NATS_SERVER to the path of a nats-server";
      return [{ name: "nats-server", state: "missing", text: `${program} does not say its version`, next }];
    }
    const text = `${program} ${version}, started when it is needed`;
    return [{ name: "nats-server", state: "ok", text, next: null }, ...checkHoles(version)];
  } catch (fault) {
    return [missing(fault)];
  }
}

function checkHoles(version: string): Check[] {
  const holes = knownHoles(version);
  if (holes.length === 0) return [];
  const text = `nats-server ${version} has known holes: ${holes.join(", ")}`;
  const next = `install nats-server ${mendedServer} or later, or the last one of your line`;
  return [{ name: "advisories", state: "warning", text, next }];
}

const fine = (name: string, text: string): Check => ({ name, state: "ok", text, next: null });
const warning = (name: string, text: string, next: string): Check => ({ name, state: "warning", text, next });

function checksOf(report: ServerReport): Check[] {
  const kind = report.isCluster ? "a cluster" : "one server";
  return [
    fine("nats-server", `${report.server}: ${report.version}, ${kind}, JetStream is on`),
    ...checkHoles(report.version),
    checkAccess(report),
    checkEncryption(report),
    checkLimits(report),
    checkClock(report),
  ];
}

const checkAccess = ({ isAnonymous }: ServerReport): Check =>
  isAnonymous
    ? warning(
        "access",
        "it lets in whoever reaches it: anybody can read every mailbox and write as the lead",
        "give it accounts and users, as docs/nats.md shows",
      )
    : fine("access", "nobody gets in without credentials");

function checkEncryption({ isEncrypted, isLocal }: ServerReport): Check {
  if (isEncrypted) return fine("encryption", "TLS");
  if (isLocal) return fine("encryption", "none; nothing leaves this machine");
  const text = "none: passwords, mail and results cross the network as they are";
  return warning("encryption", text, "give the server a certificate, and name it by tls://");
}

function checkLimits(report: ServerReport): Check {
  const { payloadBytesMax, storedBytes, storedBytesMax, streams, streamsMax } = report;
  const faults: string[] = [];
  if (payloadBytesMax < payloadBytes) {
    faults.push(`a message may have ${payloadBytesMax} bytes, fewer than ${payloadBytes} (max_payload)`);
  }
  if (storedBytesMax !== null && storedBytesMax - storedBytes < roomBytes) {
    faults.push(`${megabytes(Math.max(0, storedBytesMax - storedBytes))} of storage are left (max_storage)`);
  }
  if (streamsMax !== null && streamsMax < streamsNeeded) {
    faults.push(`the account may have ${streamsMax} streams, ${streamsNeeded} are needed (max_streams)`);
  }
  if (faults.length > 0) return warning("limits", faults.join("; "), "raise them in the server's configuration");
  const room = storedBytesMax === null ? "no limit of storage" : `${megabytes(storedBytesMax - storedBytes)} left`;
  return fine("limits", `messages of ${payloadBytesMax} bytes, ${streams} streams, ${room}`);
}

function checkClock({ clockAheadMs }: ServerReport): Check {
  const name = "clock";
  if (clockAheadMs === null) {
    const text = "not known: servers before 2.10 don't tell the time, others once a session was stored";
    return { name, state: "absent", text, next: null };
  }
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1);
  const text = `the server's clock is ${seconds} s ${clockAheadMs < 0 ? "behind" : "ahead of"} this machine's`;
  return Math.abs(clockAheadMs) < clockMs
    ? fine(name, text)
    : warning(name, `${text}; deadlines are dated by each machine's clock`, "let both follow one time server (NTP)");
}
