import { expect, test } from "vitest";
import { HookRunner, type HookVerdict } from "../../../src/actors/hooks/hook-runner.ts";
import type { TeamHooks } from "../../../src/actors/hooks/hooks.ts";
import { createVirtualClock } from "../../../src/testing/virtual-clock.ts";
import { rejection, settle } from "../../support/sessions.ts";

const letter = { session: "s", team: "T", from: "A", to: "B", content: "hi", kind: "text" } as const;

function runnerOf(...hooks: (TeamHooks | undefined)[]) {
  const clock = createVirtualClock();
  const faults: unknown[] = [];
  const runner = new HookRunner(hooks, { clock, hookMs: 1_000, onFault: (fault) => void faults.push(fault) });
  return { clock, faults, runner, ask: (signal?: AbortSignal) => runner.ask("onMessage", letter, signal) };
}
const answering = (answer: unknown): TeamHooks => ({ onMessage: () => answer as HookVerdict });

test("the first hook that says no is the answer, and nobody behind it is asked", async () => {
  const asked: string[] = [];
  const hook = (name: string, answer: HookVerdict): TeamHooks => ({
    onMessage: async ({ content }) => {
      asked.push(`${name} ${content}`);
      return answer;
    },
  });
  const { ask } = runnerOf(hook("a", null), undefined, hook("b", { block: "no" }), hook("c", { stop: "never" }));
  expect(await ask()).toEqual({ block: "no" });
  expect(asked).toEqual(["a hi", "b hi"]);
});

test("an agent's own hooks are asked last, and fail as the system's do", async () => {
  const { runner, faults } = runnerOf({ onFailure: "block", onMessage: () => {} });
  const own = runner.with({ onMessage: () => Promise.reject(new Error("down")) });
  expect(await own.ask("onMessage", letter)).toMatchObject({ block: expect.stringContaining("failed") });
  expect(faults).toMatchObject([{ message: "down" }]);
  expect(runner.with(undefined)).toBe(runner);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("down");
    },
  ],
  ["rejects", () => Promise.reject(new Error("down"))],
  ["answers a word", () => "block" as never],
  ["answers both", () => ({ block: "a", stop: "b" })],
  ["answers with a typo", () => ({ blok: "a" }) as never],
  ["answers with no text", () => ({ block: 1 }) as never],
  [
    "answers a thing that can't be read",
    () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("down");
          },
        },
      ) as never,
  ],
] as const)("a hook that %s lets pass, is told of, and blocks if its host says so", async (_what, onMessage) => {
  for (const [onFailure, expected] of [
    [undefined, null],
    ["pass", null],
    ["block", { block: expect.any(String) }],
  ] as const) {
    const { ask, faults } = runnerOf({ onMessage, ...(onFailure && { onFailure }) });
    expect(await ask()).toEqual(expected);
    expect(faults).toHaveLength(1);
  }
});

test("a hook without an answer is given up after hookMs, its signal is aborted, and it may fail later", async () => {
  const late = Promise.withResolvers<never>();
  let aborted = false;
  const { ask, clock, faults } = runnerOf({
    onMessage({ signal }) {
      signal.addEventListener("abort", () => (aborted = true));
      return late.promise;
    },
  });
  const asked = ask();
  await settle();
  await clock.advance(1_000);
  expect(await asked).toBeNull();
  expect([aborted, faults]).toMatchObject([true, [{ code: "bad_input", data: { what: "hooks.onMessage" } }]]);
  late.reject(new Error("too late"));
  await settle();
  expect(clock.pending).toBe(0);
});

test("an abort of the run ends the question: no answer counts any more", async () => {
  const controller = new AbortController();
  const { ask, clock, faults } = runnerOf({ onMessage: () => new Promise<never>(() => {}) });
  const asked = rejection(ask(controller.signal));
  await settle();
  controller.abort(new Error("stopped"));
  expect(await asked).toMatchObject({ message: "stopped" });
  expect([faults, clock.pending]).toEqual([[], 0]);
});

test("long texts are cut, and say so; an empty one says that there was no reason", async () => {
  const verdict = await runnerOf(answering({ block: "x".repeat(5_000) })).ask();
  const { block = "" } = verdict as { block?: string };
  expect([block.length <= 2_000, /\[cut: \d+ characters and more\]$/u.test(block)]).toEqual([true, true]);
  expect(await runnerOf(answering({ stop: "x".repeat(5_000) })).ask()).toMatchObject({
    stop: expect.stringMatching(/^x{400,}.*cut/u),
  });
  expect(await runnerOf(answering({ block: " " })).ask()).toEqual({ block: "no reason was given" });
});
