import type { StartedRun } from "../runs/run-board.ts";

/** A run that begins when what it needs is there. It may be stopped before. */
export class LateRun implements StartedRun {
  readonly done: Promise<unknown>;
  readonly failed = null;
  readonly #stop: (reason: string) => void;
  #run: StartedRun | null = null;

  /**
   * `start` gives the run, or null when it is not to begin any more; `stop` is called when it is stopped before that. What
   * `start` throws is for `start` to report.
   */
  constructor(start: () => Promise<StartedRun | null>, stop: (reason: string) => void) {
    this.#stop = stop;
    this.done = this.#begin(start);
  }

  abort(reason: string): void {
    if (this.#run === null) this.#stop(reason);
    else this.#run.abort(reason);
  }

  poke(): void {
    // One that has not begun looks at everything when it does.
    this.#run?.poke();
  }

  async #begin(start: () => Promise<StartedRun | null>): Promise<void> {
    this.#run = await start();
    await this.#run?.done;
  }
}
