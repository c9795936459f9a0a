import {
  cloneSession,
  createKernel,
  fromCheckpoint,
  type Applied,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "teamchart/machines";
import { describeRefusal } from "teamchart/protocol";
import type { Entry } from "./entry.ts";
import { Keyframes } from "./keyframes.ts";

/** What the page shows of a session: where on the timeline it stands, and the session there. */
export interface Shown {
  /** Read only; another object whenever anything in it may have changed. */
  readonly session: SessionState;
  /** How many entries lead to it. */
  readonly position: number;
  /** How many entries there are. */
  readonly length: number;
  readonly atHead: boolean;
}

/** Entries kept; the oldest are let go by the half, and the timeline begins later. */
const entriesMax = 200_000;

/** Why a command was refused, in sentences. */
function refusalOf({ verdict, replies }: Applied): string | null {
  if (verdict !== "refused") return null;
  const told = replies.flatMap(({ reply }) => ("refused" in reply ? reply.refused.map(describeRefusal) : []));
  return told.length === 0 ? null : [...new Set(told)].join(" ");
}

/** Sees what is added at the end of a timeline. */
export interface TimelineWatcher {
  /** An input was folded at the end: `index` is its place, `session` the session after it. */
  appended?(entry: Entry, index: number, session: SessionState): void;
  /** Everything was replaced, or the oldest entries are gone. */
  reset?(): void;
}

/** What a timeline does with an entry that it has folded, beside keeping it. */
export type Judge = (session: SessionState, applied: Applied, record: KernelRecord) => string | null;

/**
 * A session's log, folded by the machines of the package, with a place on it that is shown: its end while one follows, any
 * earlier one while one looks back. It can be subscribed to as an actor can.
 */
export class Timeline {
  readonly kernel: Kernel;
  #entries: Entry[] = [];
  /** Entries that were let go, at the start. */
  #dropped = 0;
  #epoch = 0;
  #head: SessionState;
  #frames: Keyframes;
  /** The session at `#position`, when that is not the end. */
  #past: SessionState | null = null;
  #position = 0;
  #shown: Shown;
  readonly #observers = new Set<(shown: Shown) => void>();
  readonly #watchers = new Set<TimelineWatcher>();
  #beside: { position: number; session: SessionState } | null = null;

  constructor() {
    this.kernel = createKernel();
    this.#head = this.kernel.create();
    this.#frames = new Keyframes(cloneSession(this.#head));
    this.#shown = this.#snapshot();
  }

  /** Begins anew: with a checkpoint, or with a session before its first input. A value that is no checkpoint throws. */
  restart(checkpoint: unknown = null): void {
    this.#head = checkpoint === null ? this.kernel.create() : fromCheckpoint(checkpoint, this.kernel);
    this.#frames = new Keyframes(cloneSession(this.#head));
    this.#entries = [];
    this.#dropped = 0;
    this.#epoch++;
    this.#past = null;
    this.#beside = null;
    this.#position = 0;
    for (const watcher of this.#watchers) watcher.reset?.();
    this.publish();
  }

  /**
   * Folds the next record; what was folded before, by its sequence, is left out (`null`). Nothing is told to anybody until
   * `publish`, so that many can come at once.
   */
  append(record: KernelRecord, difference: Judge = () => null): Entry | null {
    if (record.seq <= this.#head.seq) return null;
    const followed = this.atHead;
    const applied = this.kernel.apply(this.#head, record);
    const { verdict, why, steps } = applied;
    const entry = {
      record,
      verdict,
      why: refusalOf(applied) ?? why,
      steps,
      difference: difference(this.#head, applied, record),
    };
    this.#entries.push(entry);
    this.#frames.note(this.length, this.#head);
    if (followed) this.#position = this.length;
    for (const watcher of this.#watchers) watcher.appended?.(entry, this.#entries.length - 1, this.#head);
    if (this.#entries.length > entriesMax) this.#dropOldest();
    return entry;
  }

  /** Tells subscribers how things stand now. */
  publish(): void {
    this.#shown = this.#snapshot();
    for (const observer of this.#observers) observer(this.#shown);
  }

  /** Shows the session after this many entries; out of range is the nearest there is. */
  seek(position: number): void {
    const target = Math.max(0, Math.min(this.length, Math.round(position)));
    if (target === this.length) this.#past = null;
    else if (this.#past !== null && target === this.#position + 1) this.#apply(this.#past, this.#position);
    else if (target !== this.#position || this.#past === null) this.#past = this.#build(target);
    this.#position = target;
    this.publish();
  }

  /** The session after this many entries, beside what is shown. To be read only, and not for long. */
  sessionAt(position: number): SessionState {
    if (position === this.#position) return this.#shown.session;
    if (position >= this.length) return this.#head;
    if (this.#beside?.position === position) return this.#beside.session;
    const session = this.#build(position);
    this.#beside = { position, session };
    return session;
  }

  /** The entry that led to this position, or undefined for the start. */
  entryAt(position: number): Entry | undefined {
    return this.#entries[position - 1];
  }

  /** The position after the entry of this sequence; of the last one before it, where there is none. */
  positionOf(seq: number): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.record.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** How many entries there are; also the last position. */
  get length(): number {
    return this.#entries.length;
  }

  get position(): number {
    return this.#position;
  }

  get atHead(): boolean {
    return this.#past === null;
  }

  /** Entries that are no more kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Another number whenever entries have other places than before. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Sequence of the last record folded; 0 = none. */
  get lastSeq(): number {
    return this.#head.seq;
  }

  /** Sequence of the state before the first entry that is kept. */
  get baseSeq(): number {
    return this.#frames.base.seq;
  }

  /** The session before the first entry that is kept. */
  get base(): SessionState {
    return this.#frames.base;
  }

  /** The session at the place that is shown, as it is at this very moment. To be read only. */
  get current(): SessionState {
    return this.#past ?? this.#head;
  }

  /** The session after the last record, wherever one looks. */
  get head(): SessionState {
    return this.#head;
  }

  getSnapshot(): Shown {
    return this.#shown;
  }

  subscribe(observer: ((shown: Shown) => void) | { next?: (shown: Shown) => void }): { unsubscribe(): void } {
    const next = typeof observer === "function" ? observer : (shown: Shown) => observer.next?.(shown);
    this.#observers.add(next);
    return { unsubscribe: () => void this.#observers.delete(next) };
  }

  /** Watches what is added. Returns how to stop. */
  watch(watcher: TimelineWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #snapshot(): Shown {
    const session = this.#past ?? this.#head;
    // The kernel changes a session in place; who compares must see another object.
    return { session: { ...session }, position: this.#position, length: this.length, atHead: this.#past === null };
  }

  #build(position: number): SessionState {
    const frame = this.#frames.before(position);
    const session = cloneSession(frame.session);
    for (let at = frame.position; at < position; at++) this.#apply(session, at);
    return session;
  }

  #apply(session: SessionState, index: number): void {
    const entry = this.#entries[index];
    if (entry !== undefined) this.kernel.apply(session, entry.record);
  }

  #dropOldest(): void {
    const frame = this.#frames.before(this.#entries.length >> 1);
    const count = frame.position;
    if (count === 0) return;
    this.#entries = this.#entries.slice(count);
    this.#frames.drop(count);
    this.#dropped += count;
    this.#epoch++;
    this.#beside = null;
    this.#position = Math.max(0, this.#position - count);
    if (this.#past !== null) this.#past = this.#build(this.#position);
    for (const watcher of this.#watchers) watcher.reset?.();
  }
}
