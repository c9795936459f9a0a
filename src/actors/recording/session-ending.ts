import type { SessionRecording } from "./record-session.ts";

/** The end of a session here: it comes once, and takes the recordings with it. */
export class SessionEnding {
  readonly #close: (ends: boolean) => Promise<void>;
  readonly #recordings: SessionRecording[] = [];
  #ending: Promise<void> | null = null;

  /** `close` lets go of the session, or ends it. */
  constructor(close: (ends: boolean) => Promise<void>) {
    this.#close = close;
  }

  /** A recording that ends with the session. */
  record(recording: SessionRecording): SessionRecording {
    this.#recordings.push(recording);
    return recording;
  }

  /** Whoever asks first says which end it is. */
  end(ends: boolean): Promise<void> {
    this.#ending ??= this.#end(ends);
    return this.#ending;
  }

  async #end(ends: boolean): Promise<void> {
    try {
      await this.#close(ends);
    } finally {
      await Promise.all(this.#recordings.map((recording) => recording.close()));
    }
  }
}
