import { guardSignal } from "./guard-signal.ts";

/** Why a run was stopped, as an error: thrown inside it, never outside. */
export class RunStopped extends Error {
  override readonly name = "AbortError";
}

/**
 * The stop signal of one run. Its AbortSignal and its reason are made when somebody asks: a run that needs none, or is
 * stopped after its end, costs nothing.
 */
export class RunSignal {
  #controller: AbortController | null = null;
  #why: string | null = null;
  #reason: RunStopped | null = null;
  readonly #onFault: (fault: unknown) => void;

  /** `onFault` is told of listeners that throw. */
  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  get aborted(): boolean {
    return this.#why !== null;
  }

  /** Why the run was stopped, as an error; null while it is not. */
  get reason(): RunStopped | null {
    if (this.#why === null) return null;
    return (this.#reason ??= new RunStopped(`the run was stopped: ${this.#why}`));
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      guardSignal(this.#controller.signal, this.#onFault);
      if (this.#why !== null) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  abort(why: string): void {
    if (this.#why !== null) return;
    this.#why = why;
    this.#controller?.abort(this.reason);
  }

  throwIfAborted(): void {
    const { reason } = this;
    if (reason !== null) throw reason;
  }
}
