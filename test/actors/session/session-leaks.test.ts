import { afterEach, expect, test } from "vitest";
import { held, sessionLoop, teamLoop, type LeakLoop } from "../../../bench/leak-loops.ts";

const parts = 4;
const teamsPerPart = 500;
/** A leak shows in every part; what a part frees or a compiler keeps shows in some. One input in a log is more than this. */
const keptBytesMax = 400;

let loop: LeakLoop | null = null;

afterEach(async () => {
  await loop?.close();
  loop = null;
});

const timersOf = (resources: readonly string[]): number => resources.filter((kind) => kind === "Timeout").length;

test.each([
  ["2,000 sessions with a team each", sessionLoop],
  ["2,000 teams in one session", teamLoop],
])("U66: %s leave heap, handles and timers flat", { timeout: 60_000 }, async (_name, open) => {
  loop = await open();
  for (let done = 0; done < 100; done++) await loop.once();
  const first = await held();
  const keptBytes: number[] = [];
  for (let part = 0, before = first; part < parts; part++) {
    for (let done = 0; done < teamsPerPart; done++) await loop.once();
    const now = await held();
    keptBytes.push((now.heapBytes - before.heapBytes) / teamsPerPart);
    before = now;
  }
  expect(Math.min(...keptBytes)).toBeLessThan(keptBytesMax);
  const { resources } = await held();
  expect(timersOf(resources)).toBeLessThanOrEqual(timersOf(first.resources));
  expect(resources.length).toBeLessThanOrEqual(first.resources.length);
});
