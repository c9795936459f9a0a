import { createServer, type Server } from "node:http";
import { isIP, type AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { TeamError } from "../errors/index.ts";
import { errorAnswer, secured } from "./http/answers.ts";
import { nodeHandler } from "./node-handler.ts";
import type { TeamService } from "./service.ts";

/** Where to listen. */
export interface ListenOptions {
  /** A name or address of this machine. Left out = 127.0.0.1. Others than loopback need a token of your own. */
  readonly host?: string;
  /** 0 = any free one. */
  readonly port?: number;
}

/** A service that listens. */
export interface Listening {
  /** The address that was really bound, without the token. */
  readonly url: string;
  /** The same with the token in its fragment, which browsers send to nobody. */
  readonly urlWithToken: string;
  readonly host: string;
  readonly port: number;
  /** Ends every connection. The service is its owner's to close. */
  close(): Promise<void>;
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);

/** Whether only this machine can reach it. */
export const isLoopback = (host: string): boolean => loopback.has(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The names by which a service that listens on `host` is reached, for its option `hosts`. */
export function hostsOf(host: string): readonly string[] {
  if (isLoopback(host)) return ["localhost", "127.0.0.1", "[::1]", inUrl(host)];
  if (host !== "0.0.0.0" && host !== "::") return [host];
  const addresses = Object.values(networkInterfaces()).flatMap(
    (each) => each?.map(({ address }) => inUrl(address)) ?? [],
  );
  return ["localhost", hostname().toLowerCase(), ...addresses];
}

/**
 * Serves HTTP at an address of this machine. One that others can reach is refused unless the service was given its token;
 * so is a request by another port than the one that is bound. A port that is taken is `bad_input`.
 */
export async function listen(
  service: TeamService,
  { host = "127.0.0.1", port = 0 }: ListenOptions = {},
): Promise<Listening> {
  if (!isLoopback(host) && !service.hasGivenToken) {
    const problem = `${host} can be reached by other machines, so it needs a token of your own: --token, or auth: { token }`;
    throw new TeamError("bad_input", { what: "host", problem });
  }
  const bound = { port: 0 };
  const fetch = async (request: Request): Promise<Response> => {
    const given = /:(\d+)$/.exec(request.headers.get("host") ?? "")?.[1] ?? "80";
    if (Number(given) === bound.port) return service.fetch(request);
    const origin = `port ${given}, which is not the one that is served,`;
    return secured(errorAnswer(new TeamError("forbidden_origin", { origin }), () => {}));
  };
  const server = createServer(nodeHandler({ fetch }));
  const address = await bind(server, host, port);
  bound.port = address.port;
  const shown = isIP(host) === 0 ? host : address.address;
  const url = `http://${inUrl(shown)}:${address.port}${service.basePath}/`;
  return {
    url,
    urlWithToken: service.token === null ? url : `${url}#token=${encodeURIComponent(service.token)}`,
    host: address.address,
    port: address.port,
    close: () => closeServer(server),
  };
}

function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(bindError(error, host, port)));
    // A server that listens on a port has an address with one.
    server.listen({ host, port, exclusive: true }, () => resolve(server.address() as AddressInfo));
  });
}

function bindError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} of ${host} is taken, perhaps by another inspector; --port 0 takes any free one, --port N another`,
    EACCES: `port ${port} needs rights that this process does not have; --port 0 takes any free one`,
    EADDRNOTAVAIL: `${host} is no address of this machine; --host 127.0.0.1 is the usual one`,
    ENOTFOUND: `there is no host ${host}; --host 127.0.0.1 is the usual one`,
  };
  const problem = known[error.code ?? ""];
  return problem === undefined ? error : new TeamError("bad_input", { what: "the address to serve at", problem });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
