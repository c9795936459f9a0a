/**
 * Runs what must not run side by side, in order. Whoever says that it waits for somebody outside has done its part: the next
 * one begins then. Resolves when all have ended; rejects as soon as one does, and whatever else is under way ends unheard.
 */
export async function oneAfterAnother<Call, Ended>(
  calls: readonly Call[],
  run: (call: Call, waits: () => void) => Promise<Ended>,
): Promise<Ended[]> {
  const running: Promise<Ended>[] = [];
  for (const call of calls) {
    const waiting = Promise.withResolvers<void>();
    const ended = run(call, waiting.resolve);
    running.push(ended);
    // It may fail while nobody waits for it yet; the last line hears of that.
    ended.catch(() => {});
    await Promise.race([ended, waiting.promise]);
  }
  return Promise.all(running);
}
