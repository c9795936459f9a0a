import type { Append, Bus } from "../../bus/bus.ts";
import type { Clock } from "../../protocol/clock.ts";
import { sleep } from "../model-run/sleep.ts";

const triesMax = 9;
const pauseBaseMs = 50;
const pauseMaxMs = 5_000;

/** What appends need. */
export interface SteadyAppendOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Told of an append that was given up; its caller is told too, but a run may have nobody to tell. */
  readonly onFault: (fault: unknown) => void;
  /** What is thrown when it was stopped meanwhile. */
  readonly stopped: () => Error;
}

/**
 * Appends that outlast a fault of the bus: one that is refused is repeated with the same id, and whatever is appended
 * meanwhile waits behind it. Gives up after about 20 s.
 *
 * What one sender appends is stored in the order of its calls: each waits for the one before it, since of several under
 * way at once a later one could get in while an earlier one is still repeated, and be refused for the gap. User and
 * Lead are one sender here: what a host commands in their names is counted together. A sender rarely has two under way, so
 * this costs a look-up. What the host itself reports (`system`) needs no order.
 */
export class SteadyAppend {
  readonly #options: SteadyAppendOptions;
  readonly #ended = new AbortController();
  /** The last append of each sender that has one under way. */
  readonly #last = new Map<string, Promise<number>>();
  /** Settles when the last of the appends that are being repeated is through; null while there is none. */
  #repairs: Promise<unknown> | null = null;
  #storedSeq = 0;

  constructor(options: SteadyAppendOptions) {
    this.#options = options;
  }

  /** The greatest sequence that an append of ours was stored with; what a follower is given may be behind it. */
  get storedSeq(): number {
    return this.#storedSeq;
  }

  append(append: Append): Promise<number> {
    if (append.input.from === "system") return this.#send(append, () => {});
    const sender = senderOf(append.input);
    const before = this.#last.get(sender);
    const isThrough = (): void => {
      if (this.#last.get(sender) === stored) this.#last.delete(sender);
    };
    const send = (): Promise<number> => this.#send(append, isThrough);
    const stored = before === undefined ? send() : this.#sendAfter(before, send);
    this.#last.set(sender, stored);
    return stored;
  }

  async #sendAfter(before: Promise<number>, send: () => Promise<number>): Promise<number> {
    // Its caller has heard how that one ended.
    await before.catch(() => {});
    if (this.#ended.signal.aborted) throw this.#options.stopped();
    return send();
  }

  #send(append: Append, isThrough: () => void): Promise<number> {
    const repair = (fault?: unknown): Promise<number> => this.#repair(append, fault).finally(isThrough);
    if (this.#repairs !== null) return repair();
    try {
      return this.#options.bus.append(append).then((seq) => {
        isThrough();
        return this.#noteStored(seq);
      }, repair);
    } catch (fault) {
      return repair(fault);
    }
  }

  /** Gives up what is being repeated. */
  stop(): void {
    this.#ended.abort();
  }

  #repair(append: Append, fault?: unknown): Promise<number> {
    const repair = this.#repeat(append, this.#repairs, fault);
    // Whoever comes next waits for this one, however it ends.
    const settled: Promise<unknown> = repair.then(
      () => this.#endRepair(settled),
      () => this.#endRepair(settled),
    );
    this.#repairs = settled;
    return repair;
  }

  #endRepair(repair: Promise<unknown>): void {
    if (this.#repairs === repair) this.#repairs = null;
  }

  async #repeat(append: Append, before: Promise<unknown> | null, first: unknown): Promise<number> {
    await before;
    const { bus, onFault, stopped } = this.#options;
    let fault = first;
    for (let tries = fault === undefined ? 0 : 1; tries < triesMax && !this.#ended.signal.aborted; tries += 1) {
      try {
        if (tries > 0) await this.#pause(tries);
        return this.#noteStored(await bus.append(append));
      } catch (error) {
        fault = error;
      }
    }
    if (this.#ended.signal.aborted) throw stopped();
    onFault(fault);
    throw fault;
  }

  #noteStored(seq: number): number {
    if (seq > this.#storedSeq) this.#storedSeq = seq;
    return seq;
  }

  #pause(tries: number): Promise<void> {
    return sleep(this.#options.clock, Math.min(pauseMaxMs, pauseBaseMs * 2 ** tries), this.#ended.signal);
  }
}

/** Whose calls are stored in their order. Commands of the user and of the Lead that a host gives have one count. */
const senderOf = ({ from }: Append["input"]): string => (from === "user" ? "lead" : from);
