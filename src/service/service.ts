import { randomBytes } from "node:crypto";
import { createRedactor } from "../actors/recording/redactor.ts";
import { machineHashes } from "../actors/owner/machine-hashes.ts";
import { parseOptions } from "../actors/parse-options.ts";
import { systemClock } from "../actors/system/system-clock.ts";
import type { TeamSystem } from "../actors/system/team-system-port.ts";
import { guardedFault } from "../actors/system/guarded-fault.ts";
import { TeamError } from "../errors/index.ts";
import { createApp } from "./http/app.ts";
import { pageFiles } from "./http/page-files.ts";
import { ServiceMetrics } from "./metrics/service-metrics.ts";
import { builtPage, packageVersion } from "./package-files.ts";
import { followLog } from "./service-log.ts";
import { ServiceOptionsShape, type ServiceOptions } from "./service-options.ts";
import type { ServiceState } from "./service-state.ts";
import { LiveDirectory } from "./sessions/live-directory.ts";
import type { SessionDirectory } from "./sessions/session-source.ts";

/** A service that can be mounted: a function from requests to responses. */
export interface TeamService {
  /** Answers a request; never rejects. Bound, so that it can be handed on as it is. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The token that its routes need, or null with `auth: "host"`. */
  readonly token: string | null;
  /** Whether the token was given to it; a random one is good for this machine only. */
  readonly hasGivenToken: boolean;
  /** Path that it is mounted under, without a slash at its end. */
  readonly basePath: string;
  /** Ends every stream and watches nothing any more. The system goes on. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Makes a service that shows the sessions of a system: those that it has, and those to come. From now on it holds what
 * they do, by reference; nothing is serialised before somebody reads. Read-only unless `control` is true.
 */
export function createService(system: TeamSystem, options: ServiceOptions = {}): TeamService {
  parseOptions(ServiceOptionsShape, options, "createService");
  const redactor = createRedactor(options.redact);
  const metrics = new ServiceMetrics(system.node);
  const onFault = guardedFault(options.onFault);
  const log = followLog(options.log, onFault, redactor);
  const directory = new LiveDirectory(system, {
    redactor,
    inputsMax: options.history?.inputsMax ?? 50_000,
    bytesMax: options.history?.bytesMax ?? 128 * 1024 * 1024,
    closedSessionsMax: options.closedSessionsMax ?? 20,
    onFault,
    onSession: ({ session }) => {
      metrics.follow(session);
      log(session);
    },
  });
  return serve(directory, { ...options, metrics, onFault });
}

/** What a service is made of beside its sessions. */
interface Parts extends Omit<ServiceOptions, "onFault"> {
  readonly metrics: ServiceMetrics;
  readonly onFault: (fault: unknown) => void;
}

/** Makes a service of any sessions. */
export function serve(directory: SessionDirectory, options: Parts): TeamService {
  const { auth, metrics, onFault, basePath = "", streamsMax = 64 } = options;
  const token = auth === "host" ? null : (auth?.token ?? randomBytes(32).toString("base64url"));
  const closing = new AbortController();
  let streams = 0;
  const openStream = (): (() => void) => {
    if (streams >= streamsMax) throw new TeamError("too_many_streams", { streams, streamsMax });
    metrics.streams = ++streams;
    return () => (metrics.streams = --streams);
  };
  const state: ServiceState = {
    directory,
    control: options.control ?? false,
    version: packageVersion(),
    machines: machineHashes(),
    clock: systemClock,
    page: pageFiles(options.page ?? builtPage(), basePath),
    metrics,
    heartbeatMs: options.heartbeatMs ?? 15_000,
    waitMsMax: options.waitMsMax ?? 30_000,
    textsMax: options.textsMax ?? 1_000,
    closed: closing.signal,
    openStream,
    basePath,
  };
  const app = createApp(state, {
    token,
    hosts: options.hosts ?? (token === null ? null : loopbackHosts),
    canSee: options.canSee ?? null,
    bodyBytesMax: options.bodyBytesMax ?? 1024 * 1024,
    onFault,
  });
  const close = (): Promise<void> => {
    closing.abort();
    metrics.close();
    directory.close();
    return Promise.resolve();
  };
  const hasGivenToken = typeof auth === "object";
  return { fetch: app, token, hasGivenToken, basePath, close, [Symbol.asyncDispose]: close };
}
