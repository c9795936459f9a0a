import { cloneSession, type Kernel, type SessionState } from "../../machines/index.ts";
import { createRecorder, type Recorder } from "../recording/recorder.ts";
import type { Redactor } from "../recording/redactor.ts";
import type { HeldInput } from "./chapter.ts";

/** What lines of a recording are made of. */
export interface TranscriptOptions {
  readonly session: string;
  readonly kernel: Kernel;
  readonly redactor: Redactor;
  /** The state before the first input. */
  readonly base: SessionState;
  /** Told once when no more lines can be made. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Makes lines of a recording from held inputs by folding them again. The kernel is pure, so these are the very lines that
 * a recorder would have written at the time, and nobody pays for them until somebody wants to read.
 */
export class Transcript {
  readonly #kernel: Kernel;
  readonly #state: SessionState;
  readonly #recorder: Recorder;
  #lines: string[] = [];

  constructor({ session, kernel, redactor, base, onFault }: TranscriptOptions) {
    this.#kernel = kernel;
    this.#state = cloneSession(base);
    const write = (line: string): null => {
      this.#lines.push(line);
      return null;
    };
    this.#recorder = createRecorder({ session, redactor, sink: { write }, from: this.#state, onFault });
  }

  /** The session as folded so far; to be read only. */
  get state(): SessionState {
    return this.#state;
  }

  /** Lines made since this was called last; at first the header, and the checkpoint that the inputs go on from. */
  take(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** Folds the next input; its lines can be taken then. */
  fold({ record, body }: HeldInput): void {
    const applied = this.#kernel.apply(this.#state, record);
    // The sink takes everything at once, so there is nothing to wait for, and nothing here rejects.
    this.#recorder.record(this.#state, applied, record, body)?.catch(() => {});
  }

  /** Writes how the session ended, or stands. */
  result(line: Parameters<Recorder["result"]>[0]): void {
    this.#recorder.result(line);
  }
}

/** Whether a line of a recording is that of an input: what follows from an input is not stored, and a body has its own place. */
export const isInputLine = (line: string): boolean =>
  line.startsWith('{"type":"event"') && /^\{"type":"event","seq":\d+,"step":0,/.test(line);
