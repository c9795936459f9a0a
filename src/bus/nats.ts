import { TeamError } from "../errors/index.ts";
import { sessionKeyText, type Bus } from "./bus.ts";
import { faultReporter, type FaultReporter } from "./fault-reporter.ts";
import type { NatsConnectOptions } from "./nats/connect-options.ts";
import { KeyStore } from "./nats/key-store.ts";
import { Link } from "./nats/link.ts";
import { NatsClaims } from "./nats/nats-claims.ts";
import { NatsLog } from "./nats/nats-log.ts";
import { NatsSignals } from "./nats/nats-signals.ts";
import { NatsBlobs, NatsCheckpoints } from "./nats/nats-stores.ts";
import { Outbox } from "./nats/outbox.ts";
import { fullRecovery, type Recovery } from "./nats/shard-feed.ts";
import { buckets, setUpStreams } from "./nats/streams.ts";
import { defaultLayout, type Layout } from "./nats/subjects.ts";
import { busClosed, OpenGate } from "./open-gate.ts";

export type { NatsCredentials, NatsTls } from "./nats/connect-options.ts";

/** What a NATS bus is opened with. */
export interface NatsBusOptions extends NatsConnectOptions {
  /** Copies that a cluster keeps; 3 in a cluster and 1 elsewhere when left out. Counts when the streams are made. */
  readonly replicas?: number;
  /** How long an append waits for a server that is away before it is `bus_unavailable`; 30 s when left out. */
  readonly appendMs?: number;
  /**
   * Told what an observer of `follow` or `signals.follow` throws, of an end with an error that it doesn't handle, and of
   * what the server complains of. By default a process warning.
   */
  readonly onError?: (error: unknown) => void;
}

/** How long a bus that is closed waits for the acknowledgement of what was appended before. */
const closeMs = 5_000;

/**
 * Connects to a bus on a nats-server with JetStream, for any number of processes and machines. What was appended is on
 * the server when its append resolves; the server's own settings say what that survives.
 *
 * Throws `bus_unavailable` when no server answers, when it refuses the credentials, has no JetStream or is too old, and
 * `bad_input` for options that make no sense. A server that goes away later is waited for: what is appended meanwhile is
 * sent again with the same id, and who follows goes on behind the last input that it has, without a gap.
 */
export const natsBus = (options: NatsBusOptions): Promise<Bus> => openNatsBus(options, fullRecovery);

/** `natsBus` with a choice of what is done about a connection that breaks; only a test wants less than everything. */
export async function openNatsBus(options: NatsBusOptions, recovery: Recovery): Promise<Bus> {
  const { replicas, appendMs = 30_000, onError } = options;
  if (replicas !== undefined && ![1, 3, 5].includes(replicas)) throw bad("replicas: expected 1, 3 or 5");
  if (!(appendMs > 0)) throw bad("appendMs: expected milliseconds above 0");
  const report = faultReporter(onError);
  const link = await Link.open(options, report);
  try {
    const layout = defaultLayout;
    await setUpStreams(link, { layout, replicas: replicas ?? (link.facts.isCluster ? 3 : 1) });
    return new NatsBus(link, { layout, appendMs, recovery, report });
  } catch (fault) {
    const told = link.fault(fault);
    await link.close();
    throw told;
  }
}

const bad = (problem: string): TeamError => new TeamError("bad_input", { what: "natsBus", problem });

interface BusParts {
  readonly layout: Layout;
  readonly appendMs: number;
  readonly recovery: Recovery;
  readonly report: FaultReporter;
}

class NatsBus implements Bus {
  readonly kind = "nats";
  readonly claims: Bus["claims"];
  readonly checkpoints: Bus["checkpoints"];
  readonly blobs: Bus["blobs"];
  readonly signals: Bus["signals"];
  readonly #link: Link;
  readonly #gate = new OpenGate();
  readonly #outbox: Outbox;
  readonly #log: NatsLog;
  readonly #leases: KeyStore;
  readonly #checkpoints: NatsCheckpoints;
  readonly #bodies: NatsBlobs;
  readonly #signals: NatsSignals;
  #closing: Promise<void> | null = null;

  constructor(link: Link, { layout, appendMs, recovery, report }: BusParts) {
    const gate = this.#gate;
    const state = (prefix: string): KeyStore => new KeyStore(link, { bucket: buckets.state, prefix });
    const bodies = (prefix: string): KeyStore => new KeyStore(link, { bucket: buckets.bodies, prefix });
    this.#link = link;
    this.#outbox = new Outbox(link, { giveUpMs: appendMs });
    this.#log = new NatsLog({ link, layout, outbox: this.#outbox, starts: state("start"), recovery, gate, report });
    this.#leases = state("claim");
    this.#checkpoints = new NatsCheckpoints({ values: state("checkpoint"), parts: bodies("part"), gate });
    this.#bodies = new NatsBlobs({ values: bodies("body"), parts: bodies("part"), holders: state("holder"), gate });
    this.#signals = new NatsSignals({ link, gate, report });
    this.claims = new NatsClaims({ store: this.#leases, clock: state("clock"), gate }).port;
    this.checkpoints = this.#checkpoints.port;
    this.blobs = this.#bodies.port;
    this.signals = this.#signals.port;
  }

  // Bound: a bus is handed on in parts, as by `{ ...bus, append }`.
  readonly append: Bus["append"] = (append) => this.#log.append(append);
  readonly read: Bus["read"] = (filter, range) => this.#log.read(filter, range);
  readonly follow: Bus["follow"] = (filter, fromSeq) => this.#log.follow(filter, fromSeq);
  readonly trim: Bus["trim"] = (session, beforeSeq) => this.#log.trim(session, beforeSeq);
  readonly sessions: Bus["sessions"] = (namespace) => this.#log.sessions(namespace);
  readonly purge: Bus["purge"] = async (session) => {
    const inputs = await this.#log.purge(session);
    const key = sessionKeyText(session);
    const checkpoints = await this.#checkpoints.remove(key);
    const bodies = await this.#bodies.purge(session);
    await this.#leases.remove(key);
    return { inputs, checkpoints, bodies };
  };
  readonly close: Bus["close"] = () => (this.#closing ??= this.#close());

  async #close(): Promise<void> {
    this.#gate.shut();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#link.isUp ? closeMs : 0);
    });
    await Promise.race([this.#outbox.flushed(), late]);
    clearTimeout(timer);
    this.#outbox.close(busClosed());
    this.#log.close();
    this.#signals.close();
    await this.#link.close();
  }
}
