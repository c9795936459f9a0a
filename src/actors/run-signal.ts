import { guardSignal } from "./guard-signal.ts";

/** Why a run was stopped, as an error: thrown inside it, never outside. */
export class RunStopped extends Error {
  override readonly name = "AbortError";
}

/** The stop signal of one run. Its AbortSignal is made when somebody asks: a run that needs none costs nothing. */
export class RunSignal {
  #controller: AbortController | null = null;
  #reason: RunStopped | null = null;
  readonly #onFault: (fault: unknown) => void;

  /** `onFault` is told of listeners that throw. */
  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      guardSignal(this.#controller.signal, this.#onFault);
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = new RunStopped(`the run was stopped: ${reason}`);
    this.#controller?.abort(this.#reason);
  }

  throwIfAborted(): void {
    if (this.#reason !== null) throw this.#reason;
  }
}
