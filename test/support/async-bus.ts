import { mergeMap } from "rxjs";
import type { Append, Bus } from "../../src/bus/bus.ts";
import { memoryBus } from "../../src/bus/memory.ts";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A bus as a server would be one: whatever is appended is copied, stored turns later and delivered turns after that, and
 * an append that `refuses` picks fails after the later ones of its turn are through.
 */
export function asyncBus(refuses: (append: Append, tries: number) => boolean = () => false): Bus {
  const bus = memoryBus();
  const tries = new Map<string, number>();
  return {
    ...bus,
    kind: "sqlite",
    async append(append) {
      const count = (tries.get(append.input.id) ?? 0) + 1;
      tries.set(append.input.id, count);
      const isRefused = refuses(append, count);
      const copy = structuredClone(append);
      await turn();
      if (!isRefused) return bus.append(copy);
      await turn();
      await turn();
      throw new Error("the server is away");
    },
    follow: (filter, fromSeq) =>
      bus.follow(filter, fromSeq).pipe(mergeMap((stored) => turn().then(() => structuredClone(stored)), 1)),
  };
}
