import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionSource } from "../sessions/session-source.ts";
import { TextQueue } from "./text-queue.ts";

/** How one reader follows a session. */
export interface EventStreamOptions {
  /** The first sequence that it wants. */
  readonly from: number;
  readonly heartbeatMs: number;
  readonly textsMax: number;
  /** Whichever is aborted first ends the stream. */
  readonly signals: readonly AbortSignal[];
  /** Called once when it is over, however that came. */
  readonly onEnd: () => void;
}

/** Records of one chunk: enough to be fast, few enough that a slow reader holds little. */
const recordsMax = 200;

/** One server-sent event. JSON has no line breaks, so its data is one line. */
const eventText = (event: string, data: string, id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;

/**
 * A session as server-sent events, made as fast as they are read: nothing waits for a slow reader but texts, and those
 * are bounded. Records are read from the history at the reader's own pace; one that falls behind all that is held gets a
 * `gap`, and is over then.
 */
export function eventStream(session: SessionSource, options: EventStreamOptions): ReadableStream<Uint8Array> {
  const reader = new SessionReader(session, options);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await reader.next();
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (reader.isOver) {
          reader.end();
          controller.close();
        }
      },
      cancel: () => reader.end(),
    },
    // What was made and not read yet is one chunk at most.
    { highWaterMark: 1 },
  );
}

class SessionReader {
  readonly #session: SessionSource;
  readonly #options: EventStreamOptions;
  readonly #texts: TextQueue;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #subscriptions: readonly { unsubscribe(): void }[];
  #from: number;
  /** At once at first: whoever connects sees that it is. */
  #isHeartbeatDue = true;
  /** Whether records that are held are still being made into lines. */
  #isBehind = false;
  #isOver = false;
  #hasEnded = false;
  #wake: (() => void) | null = null;

  constructor(session: SessionSource, options: EventStreamOptions) {
    this.#session = session;
    this.#options = options;
    this.#from = options.from;
    this.#texts = new TextQueue(options.textsMax);
    this.#heartbeat = setInterval(() => {
      this.#isHeartbeatDue = true;
      this.#notify();
    }, options.heartbeatMs);
    // A reader that is gone must not keep the process.
    this.#heartbeat.unref();
    this.#subscriptions = [
      session.changes$.subscribe(() => this.#notify()),
      session.texts$.subscribe((piece) => {
        this.#texts.add(piece);
        this.#notify();
      }),
    ];
    for (const signal of options.signals) signal.addEventListener("abort", this.#onAbort, { once: true });
    if (options.signals.some(({ aborted }) => aborted)) this.#onAbort();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The next events as one text; waits until there are some. Empty when it is over. */
  async next(): Promise<string> {
    for (;;) {
      if (this.#isOver) return "";
      // Text before records: the record of an answer ends its text.
      const text = this.#takeHeartbeat() + this.#takeTexts() + this.#takeRecords();
      if (text !== "" || this.#isOver) return text;
      if (!this.#isBehind) await this.#changed();
      // What comes in the same turn goes out together, and never within the turn of whoever made it.
      await nextTurn();
    }
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isOver = true;
    clearInterval(this.#heartbeat);
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    for (const signal of this.#options.signals) signal.removeEventListener("abort", this.#onAbort);
    this.#options.onEnd();
    this.#notify();
  }

  readonly #onAbort = (): void => {
    this.#isOver = true;
    this.#notify();
  };

  #notify(): void {
    this.#wake?.();
    this.#wake = null;
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  #takeTexts(): string {
    return this.#texts.isEmpty
      ? ""
      : this.#texts
          .take()
          .map((piece) => eventText("token", JSON.stringify(piece)))
          .join("");
  }

  #takeRecords(): string {
    const page = this.#session.read(this.#from, recordsMax);
    this.#isBehind = page.type === "lines";
    if (page.type === "lines") {
      this.#from = (page.lines.at(-1)?.seq ?? this.#from - 1) + 1;
      return page.lines.map(({ seq, text }) => eventText("record", text, seq)).join("");
    }
    if (page.type === "gap") {
      this.#isOver = true;
      return eventText("gap", JSON.stringify({ first: page.first }));
    }
    if (!page.closed) return "";
    this.#isOver = true;
    return eventText("closed", "{}");
  }

  #takeHeartbeat(): string {
    if (!this.#isHeartbeatDue) return "";
    this.#isHeartbeatDue = false;
    return eventText("heartbeat", "{}");
  }
}
