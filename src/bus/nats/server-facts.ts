import type { NatsConnection } from "@nats-io/nats-core";
import { TeamError } from "../../errors/index.ts";

/** The oldest server that keeps what it acknowledged, alone and in a cluster. */
const floor = { single: "2.9.10", cluster: "2.10.18" } as const;

/** A version as numbers that compare; what stands behind a "-" doesn't count. */
const numbersOf = (version: string): readonly number[] =>
  (version.split("-")[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);

/** Whether `version` is `least` or later. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, want] = [numbersOf(version), numbersOf(least)];
  for (let at = 0; at < 3; at += 1) {
    const difference = (have[at] ?? 0) - (want[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** What is known of the server that a connection is on. */
export interface ServerFacts {
  readonly version: string;
  readonly isCluster: boolean;
  /** Bytes that one message may have. */
  readonly payloadBytesMax: number;
}

/** Reads what the server says of itself. Throws `bus_unavailable` for one that is too old, or has no JetStream. */
export function serverFacts(connection: NatsConnection, server: string): ServerFacts {
  const { info } = connection;
  const version = info?.version ?? "0";
  const isCluster = info?.cluster !== undefined && info.cluster !== "";
  const least = isCluster ? floor.cluster : floor.single;
  if (!isAtLeast(version, least)) {
    const reason = `${server}: nats-server ${version} loses messages${isCluster ? " in a cluster" : ""}; ${least} is the oldest that can be used`;
    throw new TeamError("bus_unavailable", { reason, next: `Install nats-server ${least} or later` });
  }
  return { version, isCluster, payloadBytesMax: info?.max_payload ?? 1_048_576 };
}

/**
 * Whether a purge of a part of a stream leaves its other consumers alone. On older servers they stop delivering, so
 * single messages are deleted there instead.
 */
export const canPurgePart = ({ version }: ServerFacts): boolean => isAtLeast(version, "2.10.0");
