import { TeamError } from "../../errors/index.ts";
import { Pull, type Delivered } from "./pull.ts";
import { answerMs, type Link } from "./link.ts";

/** What a feed does when its connection is not whole. Everything, but in a test that shows what it is for. */
export interface Recovery {
  /** Begins anew where the numbers of the deliveries have a gap, or the server is silent. */
  readonly onGap: boolean;
  /** Begins anew when the connection broke. */
  readonly onBreak: boolean;
}

/** What every bus does. */
export const fullRecovery: Recovery = { onGap: true, onBreak: true };

/** What is fed, and to whom. */
export interface FeedOptions {
  readonly stream: string;
  readonly filter: string;
  readonly recovery: Recovery;
  readonly deliver: (delivered: Delivered) => void;
  /** The feed can't go on; nothing is delivered any more. */
  readonly onEnd: (fault: unknown) => void;
}

const pauseMs = 50;
const pauseMaxMs = 500;

/**
 * All that comes to the sessions of a shard, in stream order and without a gap, from the end of the stream at its start
 * on. One consumer at a time: whenever something may be missing it is replaced by one that begins behind the last
 * message that was delivered.
 */
export class ShardFeed {
  /** Resolves once everything that is stored from then on will be delivered. */
  readonly ready: Promise<void>;
  readonly #link: Link;
  readonly #options: FeedOptions;
  readonly #unwatch: () => void;
  /** Everything of the shard up to here was delivered, or was there before. */
  #lastSeq = 0;
  #pull: Pull | null = null;
  #isOpening = false;
  #isStopped = false;

  constructor(link: Link, options: FeedOptions) {
    this.#link = link;
    this.#options = options;
    this.#unwatch = link.watch({ onDown: () => this.#down(), onUp: () => this.#up() });
    this.ready = this.#start();
    // Whoever waits for it is told; nobody has to.
    this.ready.catch(() => {});
  }

  stop(): void {
    this.#isStopped = true;
    this.#unwatch();
    this.#pull?.close();
    this.#pull = null;
  }

  async #start(): Promise<void> {
    const { stream } = this.#options;
    const info = await this.#link.ask(() => this.#link.manager.streams.info(stream), { ms: answerMs * 5 });
    this.#lastSeq = info.state.last_seq;
    await this.#open();
  }

  #down(): void {
    if (!this.#options.recovery.onBreak) return;
    this.#pull?.close();
    this.#pull = null;
    if (this.#link.end !== null) this.#end(this.#link.end);
  }

  #up(): void {
    if (this.#options.recovery.onBreak) this.#begin();
  }

  #begin(): void {
    this.#reopen().catch(this.#link.report);
  }

  /** Opens a consumer behind what was delivered, until that works, the feed is stopped or the server refuses for good. */
  async #reopen(): Promise<void> {
    if (this.#isOpening || this.#isStopped || this.#pull !== null) return;
    this.#isOpening = true;
    try {
      for (let pause = pauseMs; !this.#isStopped && this.#link.isUp; pause = Math.min(pauseMaxMs, pause * 2)) {
        if (await this.#tryOpen()) return;
        await new Promise((resolve) => setTimeout(resolve, pause).unref());
      }
    } catch (fault) {
      this.#end(fault);
    } finally {
      this.#isOpening = false;
    }
    // It may have come back while the last try was under way.
    if (this.#link.isUp && this.#pull === null) this.#begin();
  }

  /** False when it may work a little later. */
  async #tryOpen(): Promise<boolean> {
    const { stream } = this.#options;
    let lastSeq: number;
    try {
      const info = await this.#link.ask(() => this.#link.manager.streams.info(stream), { ms: 0 });
      lastSeq = info.state.last_seq;
      if (lastSeq >= this.#lastSeq) await this.#open();
    } catch {
      // Away again, or its stream is: the next try, or the next connection, tells.
      if (this.#link.end !== null) throw this.#link.end;
      return false;
    }
    if (lastSeq >= this.#lastSeq) return true;
    // Its disk was taken away or set back: the same numbers would mean other inputs from here on.
    throw logSetBack(this.#link.server, { stream, had: this.#lastSeq, has: lastSeq });
  }

  async #open(): Promise<void> {
    const { stream, filter, recovery } = this.#options;
    const { pull } = await this.#link.ask(
      () =>
        Pull.open(this.#link, {
          stream,
          filter,
          fromSeq: this.#lastSeq + 1,
          checksGaps: recovery.onGap,
          onMessage: (delivered) => this.#take(delivered),
          onLost: () => this.#lost(),
        }),
      { ms: answerMs * 5 },
    );
    if (this.#isStopped) pull?.close();
    else this.#pull = pull;
  }

  #take(delivered: Delivered): void {
    this.#lastSeq = delivered.seq;
    this.#options.deliver(delivered);
  }

  #lost(): void {
    this.#pull = null;
    if (this.#link.isUp) this.#begin();
  }

  #end(fault: unknown): void {
    if (this.#isStopped) return;
    this.stop();
    this.#options.onEnd(fault);
  }
}

/** A stream that ends before what was already delivered from it. */
const logSetBack = (server: string, { stream, had, has }: { stream: string; had: number; has: number }): TeamError =>
  new TeamError("bus_unavailable", {
    reason: `${server}: the stream ${stream} ends at ${has}, and ${had} was delivered before: it has lost inputs`,
    next: "Bring its data back from a backup; sessions go on from what is there when they are opened again",
  });
