import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { TeamError } from "../../errors/index.ts";
import type { Link } from "./link.ts";
import { apiCode } from "./nats-fault.ts";
import { streamsOf, type Layout } from "./subjects.ts";

/** The buckets of what is no log. */
export const buckets = { state: "TC_state", bodies: "TC_bodies" } as const;

/** How long an id is recognised by the server itself; what comes later is recognised by the session. */
const recognisedMs = 120_000;
/** Said outright: some servers take none for 1,000. */
const consumersMax = 10_000;
const setUpMs = 10_000;
/** JetStream's code for a stream that is not there. */
const notFound = 10_059;

/** Makes what is not there yet. Throws `bus_unavailable` for a stream of these names that keeps something else. */
export async function setUpStreams(
  link: Link,
  { layout, replicas }: { layout: Layout; replicas: number },
): Promise<void> {
  const logs = streamsOf(layout).map(({ name, subjects }) => ({
    name,
    subjects: [...subjects],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    duplicate_window: nanos(recognisedMs),
    max_consumers: consumersMax,
    allow_direct: false,
  }));
  const stores = Object.values(buckets).map((bucket) => ({
    name: `KV_${bucket}`,
    subjects: [`$KV.${bucket}.>`],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    allow_rollup_hdrs: true,
    deny_delete: true,
    allow_direct: false,
  }));
  const common = { storage: StorageType.File, num_replicas: replicas };
  for (const config of [...logs, ...stores]) await setUp(link, { ...common, ...config });
}

type Wanted = Partial<StreamConfig> & { readonly name: string; readonly subjects: string[] };

async function setUp(link: Link, config: Wanted): Promise<void> {
  const { streams } = link.manager;
  const isMissing = (fault: unknown): boolean => apiCode(fault) === notFound;
  try {
    const { config: there } = await link.ask(() => streams.info(config.name), { ms: setUpMs, isAnswer: isMissing });
    requireSame(link, config, there);
    return;
  } catch (fault) {
    if (!isMissing(fault)) throw fault;
  }
  // One that somebody else has made meanwhile in the same way is not refused.
  await link.ask(() => streams.add(config), { ms: setUpMs });
}

/** Whoever runs the server may limit a stream or place it; what it keeps, and for how long, is not theirs to change. */
function requireSame(link: Link, wanted: Wanted, there: StreamConfig): void {
  const isSame =
    there.subjects.toSorted().join(" ") === wanted.subjects.toSorted().join(" ") &&
    there.retention === RetentionPolicy.Limits &&
    there.discard === DiscardPolicy.New &&
    there.max_msgs_per_subject === (wanted.max_msgs_per_subject ?? -1) &&
    (there.max_age ?? 0) === 0;
  if (isSame) return;
  const reason = `${link.server}: the stream ${wanted.name} keeps something else, or not for ever`;
  const next = "Use another account of the server, or move that stream away";
  throw new TeamError("bus_unavailable", { reason, next });
}
