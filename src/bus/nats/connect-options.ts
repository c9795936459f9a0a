import { existsSync, readFileSync } from "node:fs";
import {
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
} from "@nats-io/nats-core";
import type { NodeConnectionOptions } from "@nats-io/transport-node";
import { TeamError } from "../../errors/index.ts";

/** How to say who this is; at most one kind. Left out: what stands in the address, or nothing. */
export interface NatsCredentials {
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The seed of an nkey: `SU...`. */
  readonly nkeySeed?: string;
  /** The path of a `.creds` file: a JWT and its seed. */
  readonly credentialsFile?: string;
}

/** Files of TLS. `true` = the system's authorities, no certificate of our own. */
export type NatsTls = true | { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };

/** How a server is reached. */
export interface NatsConnectOptions {
  /** `nats://host:port` or `tls://host:port`, with `user:password@` or `token@` where wanted; one, or several of a cluster. */
  readonly servers: string | readonly string[];
  readonly credentials?: NatsCredentials;
  readonly tls?: NatsTls;
  /** What this user's replies come to; give each user its own when the server's permissions keep them apart. */
  readonly inboxPrefix?: string;
}

/** The addresses as they may be shown: without who connects. */
export const shownServers = (servers: readonly URL[]): string =>
  servers.map(({ protocol, host }) => `${protocol}//${host}`).join(", ");

const bad = (problem: string): TeamError => new TeamError("bad_input", { what: "natsBus", problem });

/** The addresses, checked. Throws `bad_input` for one that is none. */
export function parseServers(given: unknown): readonly URL[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw bad("servers: expected at least one address");
  return list.map((each) => {
    // Only what stands behind the last @ is shown: before it there may be a password.
    const shown = String(each).split("@").at(-1);
    const text = typeof each === "string" && !each.includes("://") ? `nats://${each}` : each;
    const url = typeof text === "string" ? URL.parse(text) : null;
    if (url !== null && /^(?:nats|tls):$/.test(url.protocol) && url.hostname !== "" && url.search === "") return url;
    throw bad(`servers: expected nats://host:port or tls://host:port, got "${shown}"`);
  });
}

/**
 * What the client is given. Throws `bad_input` for credentials that contradict each other, and for files that can't be
 * read.
 */
export function clientOptions(options: NatsConnectOptions): NodeConnectionOptions {
  const servers = parseServers(options.servers);
  const { inboxPrefix, tls } = options;
  const authenticator = authenticatorOf(options.credentials ?? credentialsOf(servers));
  if (inboxPrefix !== undefined && !/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(inboxPrefix)) {
    throw bad("inboxPrefix: expected tokens of letters, digits, _ and -, with dots between them");
  }
  const isTls = tls !== undefined || servers.some(({ protocol }) => protocol === "tls:");
  return {
    servers: servers.map(({ host, port }) => (port === "" ? `${host}:4222` : host)),
    name: "teamchart",
    // Whoever can't get in should hear it at once; one that was in comes back however long it takes.
    waitOnFirstConnect: false,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    reconnectJitter: 100,
    reconnectJitterTLS: 200,
    timeout: 5_000,
    pingInterval: 5_000,
    maxPingOut: 2,
    // Credentials that are refused later, as while a server reloads them, may be taken again.
    ignoreAuthErrorAbort: true,
    ...(authenticator === null ? {} : { authenticator }),
    ...(inboxPrefix === undefined ? {} : { inboxPrefix }),
    ...(isTls ? { tls: tls === undefined || tls === true ? {} : tlsFiles(tls) } : {}),
  };
}

/** What stands in the first address that says who connects. */
function credentialsOf(servers: readonly URL[]): NatsCredentials {
  const url = servers.find(({ username }) => username !== "");
  if (url === undefined) return {};
  const user = decodeURIComponent(url.username);
  return url.password === "" ? { token: user } : { user, password: decodeURIComponent(url.password) };
}

function authenticatorOf(given: NatsCredentials): Authenticator | null {
  const { user, password, token, nkeySeed, credentialsFile } = given;
  const kinds = [user ?? password, token, nkeySeed, credentialsFile].filter((each) => each !== undefined);
  if (kinds.length > 1) throw bad("credentials: expected one of user and password, token, nkeySeed, credentialsFile");
  if (credentialsFile !== undefined) return credsAuthenticator(fileBytes("credentialsFile", credentialsFile));
  if (token !== undefined) return tokenAuthenticator(token);
  if (nkeySeed !== undefined) {
    if (!/^SU[A-Z2-7]{56}$/.test(nkeySeed)) throw bad("credentials.nkeySeed: expected the seed of a user, SU...");
    return nkeyAuthenticator(new TextEncoder().encode(nkeySeed));
  }
  if (user === undefined && password === undefined) return null;
  if (user === undefined) throw bad("credentials: a password needs a user");
  return usernamePasswordAuthenticator(user, password);
}

function tlsFiles(tls: Exclude<NatsTls, true>): Exclude<NatsTls, true> {
  // The type says so; Object.entries forgets it.
  for (const [name, path] of Object.entries(tls) as readonly [string, string][]) {
    if (!existsSync(path)) throw bad(`tls.${name}: there is no file "${path}"`);
  }
  if ((tls.certFile === undefined) !== (tls.keyFile === undefined)) throw bad("tls: certFile and keyFile go together");
  return tls;
}

function fileBytes(name: string, path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TeamError(
      "bad_input",
      { what: "natsBus", problem: `${name}: ${error instanceof Error ? error.message : String(error)}` },
      { cause: error },
    );
  }
}
