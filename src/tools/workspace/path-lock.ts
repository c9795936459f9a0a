/** Runs tasks that share a key one after the other, in the order they came; tasks of different keys run side by side. */
export class PathLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `task` when all earlier tasks of `key` have ended, however they ended. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#tails.set(key, ended);
    try {
      await before;
      return await task();
    } finally {
      end();
      if (this.#tails.get(key) === ended) this.#tails.delete(key);
    }
  }
}
