import fc from "fast-check";
import { expect, test } from "vitest";
import { hintMessages, parseHintMessage } from "../../../src/cli/demo/hint-messages.ts";
import type { Hint } from "../../../src/cli/demo/hint.ts";

const hints = (amount: number): Hint[] =>
  Array.from({ length: amount }, (_, i) => ({
    from: "Ann",
    topic: "auth",
    path: `src/${i}.ts`,
    line: i + 1,
    text: "ü".repeat(20),
  }));

test("no hints need no message", () => {
  expect(hintMessages([], 1_000)).toEqual([]);
});

test("messages stay within their limit of bytes and lose nothing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 80, max: 2_000 }), (amount, bytesMax) => {
      const messages = hintMessages(hints(amount), bytesMax);
      expect(messages.every((message) => Buffer.byteLength(message) <= bytesMax)).toBe(true);
      expect(messages.flatMap((message) => parseHintMessage(message, "Ann"))).toEqual(hints(amount));
    }),
  );
});

test("a hint that is longer than the limit gets a message of its own", () => {
  const [long] = hints(1);
  expect(hintMessages([...hints(2), { ...long!, text: "x".repeat(500) }, ...hints(1)], 120)).toHaveLength(4);
});

test("lines that are no hints are left out", () => {
  expect(parseHintMessage("Hello!\nhint auth a.ts:1 handles token\nBye", "Bob")).toEqual([
    { from: "Bob", topic: "auth", path: "a.ts", line: 1, text: "handles token" },
  ]);
});
