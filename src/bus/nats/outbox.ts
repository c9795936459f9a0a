import type { Msg } from "@nats-io/nats-core";
import { TeamError } from "../../errors/index.ts";
import { readAnswer, type Acknowledged } from "./answer.ts";
import type { Link } from "./link.ts";
import { isPassing } from "./nats-fault.ts";

/** Publishes under way at once; what comes on top waits here. */
const underWayMax = 512;
/** How long a server that refuses for the moment is left alone. */
const pauseMs = 100;

/** One input on its way to a stream. */
export interface Letter {
  readonly subject: string;
  /** By which the stream knows it again. */
  readonly id: string;
  readonly payload: Uint8Array;
}

interface Entry extends Letter {
  readonly since: number;
  readonly answered: Promise<Acknowledged>;
  readonly resolve: (answer: Acknowledged) => void;
  readonly reject: (fault: unknown) => void;
}

/**
 * What is published and not acknowledged yet, in order. The client loses what it publishes while it is disconnected, so
 * the retry is ours: after a break, or when an answer doesn't come, everything that is unanswered is sent again, in order
 * and with the same ids, and nothing else before it. The stream recognises what it had already. One that is not
 * acknowledged in `giveUpMs` is rejected with `bus_unavailable`; the same input may be published again.
 */
export class Outbox {
  readonly #link: Link;
  readonly #giveUpMs: number;
  readonly #entries = new Set<Entry>();
  /** Those that are to be sent, again or for the first time, in order. */
  #waiting: Entry[] = [];
  /** Where the next one of `#waiting` is. */
  #next = 0;
  #underWay = 0;
  /** Grows whenever what is under way is given up: its answers still count, its faults no more. */
  #round = 0;
  #isHeld = false;
  #closedBy: TeamError | null = null;
  #pause: NodeJS.Timeout | null = null;
  #watch: NodeJS.Timeout | null = null;
  readonly #unwatch: () => void;

  constructor(link: Link, { giveUpMs }: { readonly giveUpMs: number }) {
    this.#link = link;
    this.#giveUpMs = giveUpMs;
    this.#unwatch = link.watch({
      onDown: () => this.#hold(),
      onUp: () => this.#sendAgain(),
    });
  }

  publish(letter: Letter): Promise<Acknowledged> {
    const end = this.#closedBy ?? this.#link.end;
    if (end !== null) return Promise.reject(end);
    const { promise: answered, resolve, reject } = Promise.withResolvers<Acknowledged>();
    const entry: Entry = { ...letter, since: performance.now(), answered, resolve, reject };
    this.#entries.add(entry);
    this.#waiting.push(entry);
    this.#watch ??= setInterval(() => this.#giveUp(), 500);
    this.#pump();
    return answered;
  }

  /** Resolves when everything that was published before is answered, well or badly. */
  async flushed(): Promise<void> {
    await Promise.allSettled(Array.from(this.#entries, ({ answered }) => answered));
  }

  /** Gives up what is left. */
  close(fault: TeamError): void {
    this.#closedBy ??= fault;
    this.#unwatch();
    if (this.#pause !== null) clearTimeout(this.#pause);
    for (const entry of this.#entries) this.#settle(entry, () => entry.reject(fault));
  }

  #pump(): void {
    while (!this.#isHeld && this.#underWay < underWayMax) {
      const entry = this.#waiting[this.#next];
      if (entry === undefined) break;
      this.#next += 1;
      if (this.#entries.has(entry)) this.#send(entry, this.#round).catch(this.#link.report);
    }
    if (this.#next < this.#waiting.length) return;
    this.#waiting = [];
    this.#next = 0;
  }

  async #send(entry: Entry, round: number): Promise<void> {
    this.#underWay += 1;
    let answer: Acknowledged;
    try {
      const message: Msg = await this.#link.publish(entry.subject, entry.payload, { id: entry.id });
      answer = readAnswer(message);
    } catch (fault) {
      this.#failed(entry, round, fault);
      return;
    }
    this.#settle(entry, () => entry.resolve(answer));
    this.#landed(round);
  }

  #failed(entry: Entry, round: number, fault: unknown): void {
    if (!isPassing(fault) && this.#link.end === null) this.#settle(entry, () => entry.reject(this.#link.fault(fault)));
    else if (round === this.#round && this.#link.isUp) {
      this.#hold();
      this.#pause ??= setTimeout(() => this.#sendAgain(), pauseMs);
    }
    this.#landed(round);
  }

  #landed(round: number): void {
    if (round !== this.#round) return;
    this.#underWay -= 1;
    this.#pump();
  }

  /** Sends nothing for now. */
  #hold(): void {
    this.#isHeld = true;
    this.#round += 1;
    this.#underWay = 0;
    if (this.#link.end !== null) this.close(this.#link.end);
  }

  #sendAgain(): void {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    if (!this.#link.isUp) return;
    this.#isHeld = false;
    this.#waiting = [...this.#entries];
    this.#next = 0;
    this.#pump();
  }

  #giveUp(): void {
    const before = performance.now() - this.#giveUpMs;
    for (const entry of this.#entries) {
      if (entry.since > before) break;
      const seconds = Math.round(this.#giveUpMs / 1_000);
      const reason = `${this.#link.server}: nothing was acknowledged for ${seconds} s; the connection is ${this.#link.isUp ? "there" : "broken"}`;
      const next = "Look whether the server runs and can be reached; the same input may be appended again";
      this.#settle(entry, () => entry.reject(new TeamError("bus_unavailable", { reason, next })));
    }
  }

  #settle(entry: Entry, tell: () => void): void {
    if (!this.#entries.delete(entry)) return;
    tell();
    if (this.#entries.size > 0) return;
    if (this.#watch !== null) clearInterval(this.#watch);
    this.#watch = null;
  }
}
