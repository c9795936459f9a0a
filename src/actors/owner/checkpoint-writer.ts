import type { Bus } from "../../bus/bus.ts";
import type { Clock, TimerHandle } from "../../protocol/clock.ts";
import type { StoredSession } from "../../protocol/stored-session.ts";

/** Inputs after which a session is stored, at the latest; a large one less often, since it costs as much as it is large. */
const inputsMax = 500;
/** Nothing that happened is left out of the checkpoint for longer. */
const behindMs = 5_000;

/** What is stored, and where. */
export interface CheckpointOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly key: string;
  /** Revision of the one that is there; 0 = none. */
  readonly revision: number;
  /** The session as it is now. */
  readonly value: () => StoredSession;
  readonly onFault: (fault: unknown) => void;
}

/** Stores a session's state from time to time. A checkpoint saves time and holds no truth: one that fails is told, and the next one tries again. */
export class CheckpointWriter {
  readonly #options: CheckpointOptions;
  #revision: number;
  #behind = 0;
  #timer: TimerHandle | null = null;
  #writing: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    this.#revision = options.revision;
  }

  /** An input was applied to a session with so many members. */
  note(members: number): void {
    if (this.#isStopped) return;
    this.#behind += 1;
    if (this.#behind >= Math.max(inputsMax, members / 2)) this.#begin();
    else this.#timer ??= this.#options.clock.setTimeout(() => this.#begin(), behindMs);
  }

  /** Stores what is not stored yet; resolves when it is. */
  async flush(): Promise<void> {
    await this.#writing;
    this.#begin();
    await this.#writing;
  }

  /** Stores no more. */
  stop(): void {
    this.#isStopped = true;
    this.#disarm();
  }

  #begin(): void {
    this.#disarm();
    if (this.#behind === 0 || this.#writing !== null || this.#isStopped) return;
    this.#behind = 0;
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    const { bus, key, value, onFault } = this.#options;
    try {
      const revision = await bus.checkpoints.put(key, value(), this.#revision);
      // Somebody else has stored a later one: it is theirs to go on with.
      if (revision === null) this.stop();
      else this.#revision = revision;
    } catch (fault) {
      onFault(fault);
    }
  }

  #disarm(): void {
    if (this.#timer !== null) this.#options.clock.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
