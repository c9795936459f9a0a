import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { LiveFrame, Size } from "../../../src/cli/run/live-frame.ts";
import type { LiveModule, LiveOptions } from "../../../src/cli/run/live-module.ts";
import { MAIN } from "../../support/teamchart.ts";

const bundle = pathToFileURL(join(MAIN, "../live-view.js")).href;
// The built bundle exports what its source promises by the type.
const { startLive } = (await import(bundle)) as LiveModule;

/** A terminal: streams with a size, a screen that remembers and a keyboard. */
function terminal(size: Size) {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, ...size });
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  let screen = "";
  stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  return {
    stdout,
    stdin,
    screen: () => screen,
    streams: { stdin, stdout } as unknown as Pick<LiveOptions, "stdin" | "stdout">,
  };
}

const frame: LiveFrame = {
  title: "Auth review: running",
  summary: "3s",
  rows: [
    {
      name: "项目管理 a very long name indeed",
      status: "in_progress",
      activity: "thinking",
      since: "3s",
      waitingOn: "",
      unread: "",
      tokens: "12",
    },
  ],
  more: "+ 2 more: 2 blocked",
  events: ["A  blocked -> in_progress"],
  ask: { id: "q", kind: "question", title: "question of Lead", lines: ["Which colour?"], hint: "type an answer" },
};

/** Every line of a screen without the terminal's own commands, longest first. */
const lines = (screen: string) =>
  stripVTControlCharacters(screen)
    .split(/\r?\n/)
    .map((line) => line.trimEnd());

test("a frame is drawn into the terminal, cut to its width, and answers go out with Enter", async () => {
  const { streams, stdin, screen } = terminal({ columns: 60, rows: 20 });
  const answers: string[] = [];
  let interrupts = 0;
  const live = startLive({
    ...streams,
    frame: () => frame,
    onAnswer: (id, text) => answers.push(`${id}: ${text}`),
    onInterrupt: () => (interrupts += 1),
  });
  await vi.waitFor(() => expect(screen()).toContain("> _"));
  stdin.write("blue\u0007");
  await vi.waitFor(() => expect(screen()).toContain("blue_"));
  stdin.write("\r");
  await vi.waitFor(() => expect(answers).toEqual(["q: blue"]));
  stdin.write("\u0003");
  await vi.waitFor(() => expect(interrupts).toBe(1));
  await live.close();
  expect(lines(screen())).toEqual(
    expect.arrayContaining([
      "Auth review: running",
      expect.stringMatching(/^项目管理 a very.*… +in_progress/),
      "+ 2 more: 2 blocked",
    ]),
  );
  for (const line of lines(screen())) expect(line.length).toBeLessThanOrEqual(60);
});

/** A live view of asks that can be replaced, and what was answered. */
function asking(first: LiveFrame["ask"]) {
  const { streams, stdin, screen } = terminal({ columns: 80, rows: 24 });
  const answers: string[] = [];
  let ask = first;
  const live = startLive({
    ...streams,
    frame: () => ({ ...frame, ask }),
    onAnswer: (id, text) => answers.push(`${id}: ${text}`),
    onInterrupt: () => {},
  });
  let from = 0;
  return {
    stdin,
    answers,
    /** Waits until this is drawn after whatever was awaited before. */
    async sees(text: string) {
      await vi.waitFor(() => expect(screen().slice(from)).toContain(text), { timeout: 5_000 });
      from = screen().indexOf(text, from) + text.length;
    },
    replace(next: LiveFrame["ask"]) {
      ask = next;
      live.update();
    },
    [Symbol.asyncDispose]: () => live.close(),
  };
}

const permission = (id: string): LiveFrame["ask"] => ({
  id,
  kind: "permission",
  title: `permission of ${id}`,
  lines: ["│ May it?"],
  hint: "y, n",
});

test("a permission is answered by Enter alone, with its note, and no key answers by itself", async () => {
  await using view = asking(permission("a"));
  await view.sees("> _");
  view.stdin.write("n: not on Fridaysx");
  await view.sees("Fridaysx_");
  view.stdin.write("\u007F");
  expect(view.answers).toEqual([]);
  view.stdin.write("\r");
  await vi.waitFor(() => expect(view.answers).toEqual(["a: n: not on Fridays"]));
});

test("pasted text is taken, and its line ends send nothing", async () => {
  await using view = asking(permission("a"));
  await view.sees("> _");
  view.stdin.write("\u001B[200~y: only\r\nin eu\u001B[201~");
  await view.sees("y: only in eu_");
  expect(view.answers).toEqual([]);
  view.stdin.write("\r");
  await vi.waitFor(() => expect(view.answers).toEqual(["a: y: only in eu"]));
});

test("what was typed below an ask never answers the one that takes its place", async () => {
  await using view = asking(permission("a"));
  await view.sees("> _");
  view.stdin.write("n: not on Frida");
  await view.sees("Frida_");
  view.replace(permission("b"));
  await view.sees("dropped");
  // The rest of the line comes when the other request stands there already.
  view.stdin.write("y");
  view.stdin.write("\r");
  await view.sees("> _");
  expect(view.answers).toEqual([]);
  view.stdin.write("y\r");
  await vi.waitFor(() => expect(view.answers).toEqual(["b: y"]));
});

test("what comes behind an Enter in one piece answers nothing else", async () => {
  await using view = asking(permission("a"));
  await view.sees("> _");
  view.stdin.write("n\ry\r");
  await vi.waitFor(() => expect(view.answers).toEqual(["a: n"]));
  view.replace(permission("b"));
  view.stdin.write("y\r");
  await view.sees("dropped");
  await view.sees("> _");
  expect(view.answers).toEqual(["a: n"]);
});
