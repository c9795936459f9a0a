import type { Append, Bus } from "../../src/bus/bus.ts";
import { memoryBus } from "../../src/bus/memory.ts";

/** A memory bus that refuses each append that `refuses` picks, and counts how often each input was tried. */
export function flakyBus(refuses: (append: Append, tries: number) => boolean): Bus & { readonly refused: string[] } {
  const bus = memoryBus();
  const tries = new Map<string, number>();
  const refused: string[] = [];
  return {
    ...bus,
    refused,
    append: (append) => {
      const count = (tries.get(append.input.id) ?? 0) + 1;
      tries.set(append.input.id, count);
      if (!refuses(append, count)) return bus.append(append);
      refused.push(append.input.event.type);
      return Promise.reject(new Error("the disk is full"));
    },
  };
}
