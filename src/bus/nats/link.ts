import { jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { createInbox, headers, type Msg, type NatsConnection, type Status } from "@nats-io/nats-core";
import { connect } from "@nats-io/transport-node";
import { isTeamError, type TeamError } from "../../errors/index.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { clientOptions, parseServers, shownServers, type NatsConnectOptions } from "./connect-options.ts";
import { isPassing, natsFault } from "./nats-fault.ts";
import { serverFacts, type ServerFacts } from "./server-facts.ts";

/** One that waits to be told when the way to the server breaks and is there again. */
export interface LinkWatcher {
  onDown(): void;
  onUp(): void;
}

/** How long one answer may take. */
export const answerMs = 2_000;
const pauseMs = 50;
const pauseMaxMs = 500;

/**
 * The connection to the server, as the parts of a bus share it: who is told of breaks, and requests that outlast them.
 * What the client publishes while it is disconnected is lost without a word, so nothing is sent then.
 */
export class Link {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  /** The addresses, as they may be shown. */
  readonly server: string;
  readonly #inboxPrefix: string | undefined;
  /** Told of what nobody waits for. */
  readonly report: FaultReporter;
  readonly #watchers = new Set<LinkWatcher>();
  #facts: ServerFacts;
  #isUp = true;
  #end: TeamError | null = null;
  /** What a server said last of a right that is missing, by subject: the request itself only runs out of time. */
  readonly #violations = new Map<string, Error>();

  private constructor(
    connection: NatsConnection,
    parts: {
      readonly manager: JetStreamManager;
      readonly server: string;
      readonly inboxPrefix: string | undefined;
      readonly facts: ServerFacts;
      readonly report: FaultReporter;
    },
  ) {
    this.connection = connection;
    this.manager = parts.manager;
    this.server = parts.server;
    this.#inboxPrefix = parts.inboxPrefix;
    this.#facts = parts.facts;
    this.report = parts.report;
    this.#watchStatus().catch(parts.report);
    connection.closed().then((fault) => this.#ended(fault), parts.report);
  }

  /** Connects. Throws `bus_unavailable` when that isn't possible, and for a server that is of no use. */
  static async open(options: NatsConnectOptions, report: FaultReporter): Promise<Link> {
    const server = shownServers(parseServers(options.servers));
    const given = clientOptions(options);
    let connection: NatsConnection;
    try {
      connection = await connect(given);
    } catch (fault) {
      throw natsFault(server, fault);
    }
    try {
      const facts = serverFacts(connection, server);
      const manager = await jetstreamManager(connection, { checkAPI: true, timeout: answerMs });
      return new Link(connection, { manager, server, inboxPrefix: options.inboxPrefix, facts, report });
    } catch (fault) {
      await connection.close();
      throw natsFault(server, fault);
    }
  }

  get facts(): ServerFacts {
    return this.#facts;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Why the connection is over for good; null while it isn't. */
  get end(): TeamError | null {
    return this.#end;
  }

  /** A new subject for replies that only this user may hear. */
  inbox(): string {
    return createInbox(this.#inboxPrefix);
  }

  watch(watcher: LinkWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** A fault as the bus's users meet it. */
  fault(fault: unknown): TeamError {
    return isTeamError(fault) ? fault : (this.#end ?? natsFault(this.server, fault));
  }

  /** Publishes to a stream once and gives its answer. `id` and `expected` go as JetStream's headers. */
  async publish(
    subject: string,
    payload: Uint8Array,
    { id, expected }: { readonly id?: string; readonly expected?: number } = {},
  ): Promise<Msg> {
    const set = headers();
    if (id !== undefined) set.set("Nats-Msg-Id", id);
    if (expected !== undefined) set.set("Nats-Expected-Last-Subject-Sequence", String(expected));
    try {
      return await this.connection.request(subject, payload, { timeout: answerMs, headers: set });
    } catch (fault) {
      throw this.#violations.get(subject) ?? fault;
    }
  }

  /**
   * Asks until it is answered, over breaks and restarts, for `ms` at most. `ask` must bear being asked twice. What it
   * throws otherwise becomes `bus_unavailable`, unless `isAnswer` says that it answers the question.
   */
  async ask<Value>(
    ask: () => Promise<Value>,
    { ms, isAnswer = () => false }: { readonly ms: number; readonly isAnswer?: (fault: unknown) => boolean },
  ): Promise<Value> {
    const until = performance.now() + ms;
    let pause = pauseMs;
    for (;;) {
      if (this.#end !== null) throw this.#end;
      try {
        return await ask();
      } catch (fault) {
        if (isAnswer(fault)) throw fault;
        const left = until - performance.now();
        if (!isPassing(fault) || left <= 0) throw this.fault(fault);
        await this.#untilUp(this.#isUp ? Math.min(pause, left) : left);
        pause = Math.min(pauseMaxMs, pause * 2);
      }
    }
  }

  async close(): Promise<void> {
    this.#watchers.clear();
    await this.connection.close();
  }

  /** Waits for the server to be there, `ms` at most; those milliseconds when it is there. */
  #untilUp(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const unwatch = this.watch({ onDown: () => {}, onUp: resolve });
    return promise.finally(() => {
      clearTimeout(timer);
      unwatch();
    });
  }

  async #watchStatus(): Promise<void> {
    for await (const status of this.connection.status()) this.#note(status);
  }

  #note(status: Status): void {
    if (status.type === "disconnect") this.#down();
    if (status.type === "reconnect") this.#up();
    if (status.type === "error") this.#noteError(status.error);
  }

  #noteError(error: Error): void {
    const subject: unknown = "subject" in error ? error.subject : undefined;
    if (typeof subject === "string") {
      if (this.#violations.size > 100) this.#violations.clear();
      this.#violations.set(subject, error);
    }
    this.report(natsFault(this.server, error));
  }

  #down(): void {
    this.#isUp = false;
    for (const watcher of this.#watchers) watcher.onDown();
  }

  #up(): void {
    try {
      this.#facts = serverFacts(this.connection, this.server);
    } catch (fault) {
      // One that was replaced by a server of no use: nothing may be asked of it.
      this.#end = natsFault(this.server, fault);
      this.connection.close().catch(this.report);
      return;
    }
    this.#isUp = true;
    this.#violations.clear();
    for (const watcher of this.#watchers) watcher.onUp();
  }

  #ended(fault: unknown): void {
    this.#isUp = false;
    this.#end ??= natsFault(this.server, fault ?? new Error("the connection was closed"));
    for (const watcher of this.#watchers) watcher.onDown();
  }
}
