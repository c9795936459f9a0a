import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { chosen, lineAttendant } from "../../../src/cli/run/line-attendant.ts";
import type { Ask } from "../../../src/cli/run/open-asks.ts";

/** A terminal for prompts, and the answers that came of it. */
function stage() {
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  let shown = "";
  stderr.setEncoding("utf8").on("data", (text: string) => (shown += text));
  const answers: string[] = [];
  const onInterrupt = vi.fn<() => void>();
  const attendant = lineAttendant({
    // The prompts read and write, no more.
    stdin: stdin as never,
    stderr: stderr as never,
    onFault: (fault) => answers.push(`fault: ${String(fault)}`),
    onInterrupt,
  });
  const ask = (id: string, more: Partial<Ask> = {}): Ask => ({
    id,
    kind: "question",
    from: "Lead",
    text: `What is ${id}?`,
    choices: [],
    answer: async (text) => void answers.push(`${id}: ${text}`),
    ...more,
  });
  return { stdin, attendant, ask, answers, onInterrupt, shown: () => shown };
}

test("asks are put one after the other, and each answer goes where it belongs", async () => {
  const { stdin, attendant, ask, answers, shown } = stage();
  attendant.review([ask("a"), ask("b", { choices: ["red", "blue"] })]);
  await vi.waitFor(() => expect(shown()).toContain("What is a?"));
  expect(shown()).not.toContain("What is b?");
  stdin.write("first\n");
  await vi.waitFor(() => expect(shown()).toContain("2) blue"));
  stdin.write("2\n");
  await vi.waitFor(() => expect(answers).toEqual(["a: first", "b: blue"]));
  attendant.close();
});

test("an ask that is over while it stands there is taken back, and the next one is put", async () => {
  const { stdin, attendant, ask, answers, shown } = stage();
  attendant.review([ask("a"), ask("b")]);
  await vi.waitFor(() => expect(shown()).toContain("What is a?"));
  attendant.review([ask("b")]);
  await vi.waitFor(() => expect(shown()).toContain("What is b?"));
  expect(shown()).toContain("(no longer asked)");
  stdin.write("yes\n");
  await vi.waitFor(() => expect(answers).toEqual(["b: yes"]));
  attendant.close();
});

test("Ctrl-C at a prompt is an interrupt", async () => {
  const { stdin, attendant, ask, onInterrupt, shown } = stage();
  attendant.review([ask("a")]);
  await vi.waitFor(() => expect(shown()).toContain("What is a?"));
  stdin.write("\u0003");
  await vi.waitFor(() => expect(onInterrupt).toHaveBeenCalledOnce());
  attendant.close();
});

test("what is asked is shown without its control characters", async () => {
  const { attendant, ask, shown } = stage();
  attendant.review([ask("a", { text: "red \u009B2J", from: "\u001B[2J", choices: ["\u0007"] })]);
  await vi.waitFor(() => expect(shown()).toContain("1) \\u{7}"));
  expect(shown()).toContain("red \\u{9b}2J");
  expect(shown()).toContain("\\u{1b}[2J asks: ");
  attendant.close();
});

test.each([
  ["2", "blue"],
  [" 1 ", "red"],
  ["3", "3"],
  ["0", "0"],
  [" green ", "green"],
])("%j of two choices is %j", (text, answer) => {
  expect(chosen({ choices: ["red", "blue"] }, text)).toBe(answer);
});
