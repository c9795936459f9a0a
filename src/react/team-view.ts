import type { TeamStatus } from "../protocol/status.ts";

/** Why nothing newer is shown: a code of the service, or `unreachable`. */
export interface TeamViewFault {
  readonly code: string;
  readonly message: string;
}

/** What is known of a team. A new object with every change, the same one until then. */
export interface TeamView {
  /**
   * `loading`: nothing is known yet. `live`: what is shown holds. `stale`: it was so when the service was last reached.
   * `failed`: the service refuses, or could not be reached even once. It is asked again in every case.
   */
  readonly phase: "loading" | "live" | "stale" | "failed";
  /** How the session stands, as `session.status()` and `GET .../status` tell it; null before it is known. */
  readonly status: TeamStatus | null;
  /** Null while the view is loading or live. */
  readonly fault: TeamViewFault | null;
}

/** Where a view comes from. Nothing is watched while nobody subscribes. */
export interface TeamSource {
  readonly view: TeamView;
  /** Calls the listener after each change of `view`, until the function that it returns is called. */
  subscribe(listener: () => void): () => void;
}

/** Whoever waits for a source's changes; `start` is called for the first one, and what it returns after the last. */
export class Listeners {
  readonly #start: () => () => void;
  readonly #listeners = new Set<() => void>();
  #stop: (() => void) | null = null;

  constructor(start: () => () => void) {
    this.#start = start;
  }

  add(listener: () => void): () => void {
    // The same function may be given twice; each time is a listener of its own.
    const own = (): void => listener();
    this.#listeners.add(own);
    this.#stop ??= this.#start();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = null;
    };
  }

  /** One that throws keeps nothing from the others, nor from the source: its fault is raised by itself, as an event's is. */
  tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (fault) {
        setTimeout(() => {
          throw fault;
        });
      }
    }
  }
}
