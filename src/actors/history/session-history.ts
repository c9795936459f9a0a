import { Subject, type Observable, type Subscription } from "rxjs";
import { toCheckpoint } from "../../machines/kernel/checkpoint.ts";
import { redactResult } from "../recording/recorder.ts";
import { createRedactor, type Redactor } from "../recording/redactor.ts";
import type { ResultLine } from "../../protocol/recording.ts";
import type { AppliedRecord } from "../owner/owner.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { Chapter } from "./chapter.ts";
import { recallChapters } from "./recall.ts";
import { isInputLine, Transcript } from "./transcript.ts";

/** How much of a session is held, and what is hidden of it. */
export interface HistoryOptions {
  /** Inputs that are held at least, once there are as many; up to twice as many are. Default 50,000. */
  readonly inputsMax?: number;
  /** Bytes of their bodies that are held at least; up to twice as many are. Default 128 MiB. */
  readonly bytesMax?: number;
  readonly redactor?: Redactor;
}

/** An input as a line of a recording. */
export interface HistoryLine {
  readonly seq: number;
  readonly text: string;
}

/** What a reader gets: lines, that what it asked for is no longer held, or nothing yet. */
export type HistoryPage =
  | { readonly type: "lines"; readonly lines: readonly HistoryLine[] }
  | { readonly type: "gap"; readonly first: number }
  | { readonly type: "end"; readonly closed: boolean };

/** What a session gives of itself. */
export interface HistorySource {
  readonly records$: Observable<AppliedRecord>;
  readonly result: () => ResultLine;
}

/** Inputs that are folded at a time: more would hold up the agents of this process. */
const foldedMax = 500;

/**
 * What a session has done, from when this began: readable from any place that is held, by any number of readers, each at
 * its own pace. Inputs are held by reference; lines are made when the first reader comes, once for all of them. When more
 * than the limits has come together the older half is let go, and whoever still reads in it gets a gap.
 */
export class SessionHistory {
  readonly session: string;
  /** Told of every input that has come, and of the end of the session. */
  readonly changes$ = new Subject<void>();
  readonly #runtime: SessionRuntime;
  readonly #redactor: Redactor;
  readonly #result: () => ResultLine;
  readonly #inputsMax: number;
  readonly #bytesMax: number;
  readonly #records: Subscription;
  #chapters: Chapter[];
  #transcript: Transcript | null = null;
  #lines: HistoryLine[] = [];
  #folded = 0;
  #closed = false;
  #recalled: Promise<void> | null = null;

  constructor(runtime: SessionRuntime, options: HistoryOptions & HistorySource) {
    const { inputsMax = 50_000, bytesMax = 128 * 1024 * 1024, redactor = createRedactor(), records$, result } = options;
    this.session = runtime.options.config.session;
    this.#runtime = runtime;
    this.#redactor = redactor;
    this.#result = result;
    this.#inputsMax = inputsMax;
    this.#bytesMax = bytesMax;
    this.#chapters = [new Chapter(runtime.state)];
    this.#closed = runtime.owner.isClosed || this.#hasEnded;
    this.#records = records$.subscribe({
      next: ({ stored: { seq, input, body }, plan }) => {
        this.#hold({ seq, input, ...(plan === undefined ? {} : { plan }) }, body);
        // Of a session that is followed only its log tells that it has ended.
        this.#closed ||= this.#hasEnded;
        if (this.changes$.observed) this.changes$.next();
      },
      complete: () => {
        this.#closed = true;
        this.changes$.next();
      },
    });
  }

  /** The first sequence that may be read; the state before it is `checkpoint`. */
  get first(): number {
    return this.#base.seq + 1;
  }

  /** The last sequence that was applied. */
  get last(): number {
    return this.#runtime.state.seq;
  }

  /** Whether the session has ended: nothing will come after `last`. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /**
   * Holds what was before this began as well, as far as a durable log has it and the limits allow. Without effect in
   * memory, and where the log was trimmed: then `first` stays what it was. Rejects when the log can't be read.
   */
  recall(): Promise<void> {
    return (this.#recalled ??= this.#recall());
  }

  /** The state before `first`, with secrets hidden; null when that is the beginning of the session. */
  checkpoint(): unknown {
    const base = this.#base;
    return base.seq === 0 ? null : this.#redactor.steering(toCheckpoint(base));
  }

  /** A body of this session, with secrets hidden; undefined for every other. */
  body(digest: string): unknown {
    const held = this.#chapters.map((chapter) => chapter.body(digest)).find((value) => value !== undefined);
    const value = held ?? this.#runtime.owner.bodies.get(digest);
    return value === undefined ? undefined : this.#redactor.value(value);
  }

  /**
   * The next lines from `from` on, at most `max` of them. None at all means that they are still being made: ask again,
   * after others had their turn.
   */
  read(from: number, max: number): HistoryPage {
    if (from < this.first) return { type: "gap", first: this.first };
    for (;;) {
      const at = this.#indexOf(from);
      if (at < this.#lines.length) return { type: "lines", lines: this.#lines.slice(at, at + max) };
      if (this.#isFolded) return { type: "end", closed: this.#closed };
      const before = this.#lines.length;
      this.#fold();
      // A stretch that lies before `from` is folded bit by bit: whoever asks asks again.
      if (this.#lines.length > before && this.#indexOf(from) >= this.#lines.length) return { type: "lines", lines: [] };
    }
  }

  /** The whole of what is held, as the lines of a recording with its end, in parts that may be written one by one. */
  *recording(): Generator<readonly string[], void, void> {
    const result = redactResult(this.#result(), this.#redactor);
    const inputs = this.#chapters.flatMap((chapter) => chapter.inputs);
    const transcript = this.#newTranscript();
    for (const [index, input] of inputs.entries()) {
      transcript.fold(input);
      if (index % foldedMax === foldedMax - 1) yield transcript.take();
    }
    transcript.result(result);
    yield transcript.take();
  }

  /** Holds nothing more, and forgets what it held. */
  close(): void {
    this.#records.unsubscribe();
    this.#closed = true;
    this.changes$.next();
    this.changes$.complete();
    this.#transcript = null;
    this.#lines = [];
  }

  get #hasEnded(): boolean {
    return this.#runtime.state.snapshot.value === "closed";
  }

  async #recall(): Promise<void> {
    const { options } = this.#runtime;
    const from = this.#base.seq;
    if (from === 0 || options.bus.kind === "memory") return;
    const past = await recallChapters(options, from, { inputsMax: this.#inputsMax, bytesMax: this.#bytesMax });
    // What was let go of meanwhile is not to come back: what is held must have no hole.
    if (past === null || this.#base.seq !== from) return;
    const [first, ...rest] = this.#chapters;
    const last = past.at(-1);
    for (const { record, body } of first?.inputs ?? []) last?.add(record, body);
    this.#chapters = [...past, ...rest];
    this.#letGo();
    this.changes$.next();
  }

  get #base() {
    // There is always at least one chapter.
    return (this.#chapters[0] as Chapter).base;
  }

  get #isFolded(): boolean {
    return this.#folded >= this.#chapters.reduce((sum, { inputs }) => sum + inputs.length, 0);
  }

  #hold(record: Parameters<Chapter["add"]>[0], body: unknown): void {
    const chapter = this.#chapters.at(-1) as Chapter; // There is always at least one.
    chapter.add(record, body);
    if (chapter.inputs.length < this.#inputsMax && chapter.bytes < this.#bytesMax) return;
    // The state is the one after this very input: subscribers are told right after it was applied.
    this.#chapters.push(new Chapter(this.#runtime.state));
    if (this.#chapters.length > 2) this.#letGo();
  }

  /** Lets go of all but two chapters: what is left begins with a state of its own, so its lines do too. */
  #letGo(): void {
    this.#chapters = this.#chapters.slice(-2);
    this.#transcript = null;
    this.#lines = [];
    this.#folded = 0;
  }

  #newTranscript(): Transcript {
    const { kernel, onFault } = this.#runtime.options;
    return new Transcript({ session: this.session, kernel, redactor: this.#redactor, base: this.#base, onFault });
  }

  /** Folds the next inputs that no line was made of yet. */
  #fold(): void {
    this.#transcript ??= this.#newTranscript();
    const transcript = this.#transcript;
    let skip = this.#folded;
    let left = foldedMax;
    for (const { inputs } of this.#chapters) {
      for (let index = skip; index < inputs.length && left > 0; index++, left--) {
        // The index is below the length.
        transcript.fold(inputs[index] as Chapter["inputs"][number]);
        this.#folded += 1;
      }
      skip = Math.max(0, skip - inputs.length);
    }
    for (const line of transcript.take()) {
      if (isInputLine(line)) this.#lines.push({ seq: seqOf(line), text: line });
    }
  }

  /** Index of the first line at or above `seq`. */
  #indexOf(seq: number): number {
    let low = 0;
    let high = this.#lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lines[middle]?.seq ?? Infinity) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const seqOf = (line: string): number => Number(/"seq":(\d+)/.exec(line)?.[1] ?? 0);
