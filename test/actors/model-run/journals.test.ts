import { expect, test } from "vitest";
import { Journals } from "../../../src/actors/model-run/journals.ts";
import type { Applied } from "../../../src/machines/index.ts";
import type { Input } from "../../../src/protocol/input.ts";

const applied = (verdict: Applied["verdict"]): Applied =>
  ({
    verdict,
    steps: [],
    replies: [],
    touched: new Set<string>(),
  }) as unknown as Applied;

const input: Input = {
  id: "i1",
  at: 0,
  actor: "a-t1",
  from: "a-t1",
  epoch: 1,
  event: { type: "run.injected", run: 1, k: 1, mail: [] },
};

test.each([
  ["handled", 1],
  ["ignored", 1],
  ["stale", 0],
  ["refused", 0],
  ["error", 0],
] as const)("what was %s is %i entries of the conversation", (verdict, count) => {
  const journals = new Journals();
  journals.record(input, { text: "hello", attempt: 1 }, applied(verdict), 1);
  expect(journals.of("a-t1", 1)).toHaveLength(count);
  expect(journals.promptedAttempt("a-t1")).toBe(count);
});
