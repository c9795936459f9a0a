import type { SessionModel } from "../fold/session-model.ts";
import { ApiError, type Api } from "./api.ts";
import { RecordPump, type PumpState } from "./record-pump.ts";
import { ServerEventParser, type ServerEvent } from "./sse.ts";

/** What a follower tells of: the events of the mode machine. */
export type FeedEvent =
  | { readonly type: "feed.live" }
  | { readonly type: "feed.lost"; readonly message: string }
  | { readonly type: "feed.ended" }
  | { readonly type: "feed.failed"; readonly code: string; readonly message: string };

/** How a follower keeps up with its service. */
export interface Following {
  state(): PumpState;
  /** Tries again now, instead of after the pause. */
  retry(): void;
  stop(): void;
}

const pauseMsMin = 250;
const pauseMsMax = 5_000;
/** Without a heartbeat for so long (the service sends one every 15 s) a connection counts as lost. */
const silenceMs = 40_000;

/** The log of the service isn't the one that was followed: what is here must be loaded anew. */
class OtherLog extends Error {}

/** What is followed, and where it goes. */
export interface FollowOptions {
  readonly api: Api;
  readonly session: string;
  readonly model: SessionModel;
  readonly send: (event: FeedEvent) => void;
}

/**
 * Follows a session: loads where its log begins, folds every record from there, and goes on from the last one after a lost
 * connection. A gap, or a log that is another one than before (the service was started anew), is loaded from its start.
 */
export function followSession(options: FollowOptions): Following {
  const follower = new Follower(options);
  follower.start();
  return follower;
}

class Follower implements Following {
  readonly #options: FollowOptions;
  readonly #pump: RecordPump;
  readonly #stopped = new AbortController();
  #isLoaded = false;
  #pauseMs = pauseMsMin;
  #wake: () => void = () => {};

  constructor(options: FollowOptions) {
    const { api, session, model } = options;
    this.#options = options;
    this.#pump = new RecordPump(model, (fault) => this.#fail(fault));
    model.bodies.loadBy((digest) => api.body(session, digest));
  }

  start(): void {
    this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  state(): PumpState {
    return this.#pump.state;
  }

  retry(): void {
    this.#wake();
  }

  stop(): void {
    this.#stopped.abort();
    this.#pump.clear();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await this.#connect(signal);
      } catch (fault) {
        if (signal.aborted || this.#isFinal(fault)) return;
        if (fault instanceof OtherLog) {
          this.#isLoaded = false;
          continue;
        }
      }
      if (signal.aborted) return;
      this.#options.send({ type: "feed.lost", message: "The connection to the service was lost." });
      if (performance.now() - startedAt > 10_000) this.#pauseMs = pauseMsMin;
      await this.#pause(signal);
    }
  }

  /** Follows until the connection ends. */
  async #connect(signal: AbortSignal): Promise<void> {
    const { api, session, model, send } = this.#options;
    const { last, first, checkpoint, violation } = await api.log(session, signal);
    const known = model.timeline.lastSeq;
    if (!this.#isLoaded || last < known || (first > known + 1 && checkpoint !== null)) {
      this.#pump.clear();
      model.restart(checkpoint);
      model.violation = violation;
      this.#isLoaded = true;
    }
    // The last record once more: when it is another one than here, so is the log.
    const overlap = model.timeline.entries.at(-1)?.record ?? null;
    const response = await api.events(session, overlap?.seq ?? model.timeline.lastSeq + 1, signal);
    send({ type: "feed.live" });
    const onClosed = (): void => {
      send({ type: "feed.ended" });
      this.#stopped.abort();
    };
    await readEvents(response, signal, { model, pump: this.#pump, overlap, onClosed });
  }

  /** What asking again can't change. */
  #isFinal(fault: unknown): boolean {
    if (!(fault instanceof ApiError) || fault.code === "unreachable" || fault.status >= 500) return false;
    this.#options.send({ type: "feed.failed", code: fault.code, message: fault.message });
    return true;
  }

  #fail(fault: unknown): void {
    const message = fault instanceof Error ? fault.message : String(fault);
    this.#options.send({ type: "feed.failed", code: "bad_record", message });
    this.#stopped.abort();
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener("abort", this.#wake, { once: true });
    });
    signal.removeEventListener("abort", this.#wake);
    this.#pauseMs = Math.min(pauseMsMax, this.#pauseMs * 2);
  }
}

interface Reading {
  readonly model: SessionModel;
  readonly pump: RecordPump;
  /** The last record that is known, which comes once more. */
  readonly overlap: { readonly seq: number; readonly input: { readonly id: string } } | null;
  readonly onClosed: () => void;
}

/** Reads until the connection ends. Throws when the log must be loaded anew, and when nothing is heard for too long. */
async function readEvents(response: Response, signal: AbortSignal, reading: Reading): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  const parser = new ServerEventParser();
  const check = overlapCheck(reading.overlap);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = (): Promise<never> =>
    new Promise((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new ApiError("unreachable", "Nothing was heard from the service.", 0)),
        silenceMs,
      );
    });
  try {
    while (!signal.aborted) {
      const { done, value } = await Promise.race([reader.read(), silence()]);
      clearTimeout(timer);
      if (done) return;
      for (const event of parser.take(value)) take(event, reading, check);
    }
  } finally {
    clearTimeout(timer);
    // Whoever reads no more says so; that the other side is gone already is no news.
    reader.cancel().catch(() => {});
  }
}

function take({ event, data }: ServerEvent, { model, pump, onClosed }: Reading, check: (data: string) => void): void {
  if (event === "record") {
    check(data);
    pump.push(data);
  } else if (event === "token") takeToken(data, model);
  else if (event === "gap") throw new OtherLog("the service no longer holds what comes next");
  else if (event === "closed") onClosed();
}

function takeToken(data: string, model: SessionModel): void {
  // Of the same package as this page, as all that the service says.
  const token = JSON.parse(data) as { actor?: string; run?: number; text?: string; dropped?: number };
  if (typeof token.dropped === "number") model.tokens.drop(token.dropped);
  if (typeof token.actor === "string" && typeof token.text === "string")
    model.tokens.add(token.actor, token.run ?? 0, token.text);
}

/** Holds the first input that comes against the last one that is known. */
function overlapCheck(overlap: Reading["overlap"]): (data: string) => void {
  let isOpen = overlap !== null;
  return (data) => {
    if (!isOpen || overlap === null) return;
    // Only its place and its id are looked at; the fold parses it whole.
    const { seq, step, input } = JSON.parse(data) as { seq?: number; step?: number; input?: { id?: string } };
    if (step !== 0) return;
    isOpen = false;
    if (seq === overlap.seq && input?.id !== overlap.input.id) throw new OtherLog("the log is another one");
  };
}
