import { connect } from "@nats-io/transport-node";
import { clientOptions, parseServers, type NatsConnectOptions } from "./connect-options.ts";
import { Link } from "./link.ts";
import { streamsOf, defaultLayout } from "./subjects.ts";

/** How long one question may take. */
const answerMs = 2_000;

/** What a server is like, for whoever has to judge it. */
export interface ServerReport {
  /** The address, without who connects. */
  readonly server: string;
  readonly version: string;
  readonly isCluster: boolean;
  /** Whether it lets in whoever says nothing of itself. */
  readonly isAnonymous: boolean;
  readonly isEncrypted: boolean;
  /** Whether every address is on this machine. */
  readonly isLocal: boolean;
  /** Bytes that one message may have. */
  readonly payloadBytesMax: number;
  /** Bytes that this account has stored, and may store; null = no limit of its own. */
  readonly storedBytes: number;
  readonly storedBytesMax: number | null;
  /** Streams that this account has, and may have; null = no limit of its own. */
  readonly streams: number;
  readonly streamsMax: number | null;
  /** By how much the server's clock is ahead of this machine's; null when it doesn't say. */
  readonly clockAheadMs: number | null;
}

/**
 * Connects to a server as a bus would, and says what it is like. Nothing is stored or made there.
 *
 * Throws as `natsBus` does when it can't be used at all: `bus_unavailable`, and `bad_input` for options that make no sense.
 */
export async function examineServer(
  options: NatsConnectOptions,
  onFault: (fault: unknown) => void,
): Promise<ServerReport> {
  const link = await Link.open(options, onFault);
  try {
    const { storage, streams, limits } = await link.ask(() => link.manager.getAccountInfo(), { ms: answerMs });
    const { version, isCluster, payloadBytesMax } = link.facts;
    return {
      server: link.server,
      version,
      isCluster,
      isAnonymous: await letsInAnybody(options),
      isEncrypted: clientOptions(options).tls !== undefined || link.connection.info?.tls_required === true,
      isLocal: parseServers(options.servers).every(({ hostname }) => isLoopback(hostname)),
      payloadBytesMax,
      storedBytes: storage,
      storedBytesMax: limited(limits.max_storage),
      streams,
      streamsMax: limited(limits.max_streams),
      clockAheadMs: await clockAhead(link),
    };
  } catch (fault) {
    throw link.fault(fault);
  } finally {
    await link.close();
  }
}

/** Below 0 the server says that there is no limit. */
const limited = (limit: number): number | null => (limit < 0 ? null : limit);

const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Tries to get in with nothing that says who this is. */
async function letsInAnybody({ servers, tls }: NatsConnectOptions): Promise<boolean> {
  const bare = parseServers(servers).map(({ protocol, host }) => `${protocol}//${host}`);
  const authorities = tls === undefined || tls === true || tls.caFile === undefined ? tls : { caFile: tls.caFile };
  const given = clientOptions({ servers: bare, ...(authorities === undefined ? {} : { tls: authorities }) });
  try {
    const connection = await connect({ ...given, reconnect: false, timeout: answerMs });
    await connection.close();
    return true;
  } catch {
    // Whatever keeps it out: it is not let in.
    return false;
  }
}

/** Servers of 2.10 and later date what they say of a stream. */
async function clockAhead(link: Link): Promise<number | null> {
  const [{ name } = { name: "" }] = streamsOf(defaultLayout);
  const asked = Date.now();
  try {
    const answer = await link.connection.request(`$JS.API.STREAM.INFO.${name}`, undefined, { timeout: answerMs });
    const told: unknown = answer.json();
    const at = typeof told === "object" && told !== null && "ts" in told ? Date.parse(String(told.ts)) : Number.NaN;
    return Number.isNaN(at) ? null : Math.round(at - (asked + Date.now()) / 2);
  } catch {
    // A user who may not ask for it doesn't learn it.
    return null;
  }
}
