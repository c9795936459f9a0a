import type { Subscriber } from "rxjs";
import { TeamError } from "../../errors/index.ts";
import type { Append, Stored } from "../bus.ts";

/** One observer of a log. */
interface Follower {
  readonly subscriber: Subscriber<Stored>;
  readonly actor: string | null;
  /** What is stored below was delivered already, or isn't wanted: the seam between stored and live. */
  nextSeq: number;
}

/** What to read of a log. */
export interface LogRange {
  readonly actor?: string;
  readonly fromSeq: number;
  readonly toSeq?: number;
  readonly max?: number;
}

/**
 * The log of one session and who follows it.
 *
 * Records and ids change in `store` and `trim` only, and neither is ever called from an observer: a loop that delivers
 * may therefore walk the records without a copy. Followers do come and go inside such a loop: one that comes has had the
 * record by its replay already, and one that goes leaves the array that is walked as it is.
 */
export class SessionLog {
  #records: Stored[] = [];
  readonly #sequences = new Map<string, number>();
  #followers: Follower[] = [];
  /** What is below was trimmed; 0 = nothing was. */
  #trimmedBefore = 0;

  /** Whether forgetting this log forgets nothing. */
  get isBlank(): boolean {
    return this.#records.length === 0 && this.#trimmedBefore === 0 && this.#followers.length === 0;
  }

  /** Whether anything was stored in it. */
  get hasBegun(): boolean {
    return this.#records.length > 0 || this.#trimmedBefore > 0;
  }

  /** How many records it has. */
  get size(): number {
    return this.#records.length;
  }

  /** The sequence under which this id is stored. */
  sequenceOf(id: string): number | undefined {
    return this.#sequences.get(id);
  }

  /** Stores an input whose id is new. Nobody is told: see `deliver`. */
  store({ subject, input, body }: Append, seq: number): Stored {
    const stored: Stored = body === undefined ? { subject, input, seq } : { subject, input, body, seq };
    this.#records.push(stored);
    this.#sequences.set(input.id, seq);
    return stored;
  }

  /** Hands a stored record to everybody who follows and hasn't had it. */
  deliver(stored: Stored): void {
    for (const follower of this.#followers) offer(follower, stored);
  }

  /** Delivers what is stored from `fromSeq` on, then adds the subscriber to those who are told. */
  follow(subscriber: Subscriber<Stored>, actor: string | null, fromSeq: number): void {
    this.#requireKept(fromSeq);
    const follower: Follower = { subscriber, actor, nextSeq: fromSeq };
    this.#followers.push(follower);
    const records = this.#records;
    for (let index = indexOf(records, fromSeq); index < records.length; index++) {
      const stored = records[index];
      if (stored === undefined || subscriber.closed) return;
      offer(follower, stored);
    }
  }

  unfollow(subscriber: Subscriber<Stored>): void {
    this.#followers = this.#followers.filter((follower) => follower.subscriber !== subscriber);
  }

  completeFollowers(): void {
    for (const { subscriber } of this.#followers) subscriber.complete();
  }

  read({ actor, fromSeq, toSeq = Infinity, max = Infinity }: LogRange): readonly Stored[] {
    this.#requireKept(fromSeq);
    const found: Stored[] = [];
    for (let index = indexOf(this.#records, fromSeq); index < this.#records.length && found.length < max; index++) {
      const stored = this.#records[index];
      if (stored === undefined || stored.seq > toSeq) break;
      if (actor === undefined || stored.subject.actor === actor) found.push(stored);
    }
    return found;
  }

  /** Drops the records below `beforeSeq` and their ids; with `Infinity` also that there ever were any. */
  trim(beforeSeq: number): void {
    const end = indexOf(this.#records, beforeSeq);
    const last = this.#records.at(-1);
    if (end === this.#records.length) this.#sequences.clear();
    else for (let index = 0; index < end; index++) this.#forgetId(index);
    this.#records = this.#records.slice(end);
    if (beforeSeq === Infinity) this.#trimmedBefore = 0;
    else if (last !== undefined) this.#trimmedBefore = Math.max(this.#trimmedBefore, Math.min(beforeSeq, last.seq + 1));
  }

  #forgetId(index: number): void {
    const id = this.#records[index]?.input.id;
    if (id !== undefined) this.#sequences.delete(id);
  }

  #requireKept(fromSeq: number): void {
    if (fromSeq < this.#trimmedBefore) {
      throw new TeamError("log_trimmed", { from: fromSeq, first: this.#trimmedBefore });
    }
  }
}

/** Gives a follower a record, once and in its mailbox only. */
function offer(follower: Follower, stored: Stored): void {
  if (stored.seq < follower.nextSeq) return;
  follower.nextSeq = stored.seq + 1;
  if (follower.actor === null || follower.actor === stored.subject.actor) follower.subscriber.next(stored);
}

/** Index of the first record at or above `seq`. Sequences grow, not always by one. */
function indexOf(records: readonly Stored[], seq: number): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle]?.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
