import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { WorkspaceLimits } from "../../../src/tools/workspace/workspace-limits.ts";
import { openTestWorkspace } from "./test-workspace.ts";

const openWith = async (content: string | Buffer, limits: Partial<WorkspaceLimits> = {}) => {
  const at = await openTestWorkspace({ limits });
  await writeFile(join(at.root, "file"), content);
  return Object.assign(at, { ann: at.workspace.for("Ann") });
};

test("a small file is read whole, without a note", async () => {
  await using at = await openWith("one\ntwo\n");
  expect(await at.ann.read("file")).toEqual({
    kind: "text",
    path: "file",
    text: "one\ntwo\n",
    fromLine: 1,
    toLine: 2,
    linesTotal: 2,
    bytes: 8,
    note: null,
  });
});

test("an empty file has no lines", async () => {
  await using at = await openWith("");
  expect(await at.ann.read("file")).toMatchObject({ text: "", fromLine: 1, toLine: 0, linesTotal: 0, note: null });
});

test("a line range is read, and the note says where to go on", async () => {
  await using at = await openWith("1\n2\n3\n4\n5");
  expect(await at.ann.read("file", { fromLine: 2, lines: 2 })).toMatchObject({
    text: "2\n3\n",
    toLine: 3,
    linesTotal: 5,
    note: "2 more lines follow; read on with fromLine 4.",
  });
});

test("a start behind the end says how many lines there are", async () => {
  await using at = await openWith("1\n2\n");
  expect(await at.ann.read("file", { fromLine: 3 })).toMatchObject({ text: "", note: "The file has only 2 lines." });
});

test("a file of exactly fileBytesMax is whole; one byte more is cut after a line (S21)", async () => {
  await using exact = await openWith("abc\ndef\n", { fileBytesMax: 8 });
  expect(await exact.ann.read("file")).toMatchObject({ text: "abc\ndef\n", note: null });
  await using over = await openWith("abc\ndefg\n", { fileBytesMax: 8 });
  expect(await over.ann.read("file")).toMatchObject({
    text: "abc\n",
    toLine: 1,
    note: "1 more lines follow; read on with fromLine 2.",
  });
});

test("a line longer than fileBytesMax is cut between two characters and named", async () => {
  await using at = await openWith("aé日\u{1f600}\nnext\n", { fileBytesMax: 8 });
  const read = await at.ann.read("file");
  expect(read).toMatchObject({ text: "aé日", toLine: 1, linesTotal: 2 });
  expect(read.note).toContain("Line 1 is cut: only its first 6 bytes are shown.");
});

test("a file of exactly scanBytesMax is read; a larger one is refused as payload_too_large (S21)", async () => {
  await using at = await openWith("x".repeat(100), { scanBytesMax: 100 });
  expect(await at.ann.read("file")).toMatchObject({ bytes: 100 });
  await writeFile(join(at.root, "file"), "x".repeat(101));
  await expect(at.ann.read("file")).rejects.toMatchObject({
    code: "payload_too_large",
    data: { bytes: 101, bytesMax: 100 },
  });
});

test("a binary file is named as such and not shown", async () => {
  await using at = await openWith(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
  expect(await at.ann.read("file")).toEqual({
    kind: "binary",
    path: "file",
    bytes: 7,
    note: "A binary file; its content is not shown.",
  });
});

test("UTF-16 text is named as such", async () => {
  await using at = await openWith(Buffer.from("\u{feff}hello", "utf16le"));
  expect(await at.ann.read("file")).toMatchObject({ kind: "binary", note: expect.stringContaining("UTF-16") });
});

test("invalid UTF-8 is shown with replacements and reported", async () => {
  await using at = await openWith(Buffer.from([0x61, 0xff, 0x62]));
  expect(await at.ann.read("file")).toMatchObject({
    text: "a\u{fffd}b",
    note: expect.stringContaining("not valid UTF-8"),
  });
});

test("a byte order mark is not part of the text, is reported, and is kept when the file is written", async () => {
  await using at = await openWith("\u{feff}one\n");
  expect(await at.ann.read("file")).toMatchObject({ text: "one\n", note: expect.stringContaining("byte order mark") });
  expect(await at.ann.write("file", "two\n")).toMatchObject({ bytes: 7 });
  expect(await at.ann.read("file")).toMatchObject({ text: "two\n", bytes: 7 });
});

test.each([{ fromLine: 0 }, { fromLine: -1 }, { lines: 0 }, { fromLine: 1.5 }, { lines: Number.NaN }])(
  "the range %j is refused as bad_input",
  async (range) => {
    await using at = await openWith("x");
    await expect(at.ann.read("file", range)).rejects.toMatchObject({ code: "bad_input" });
  },
);

test("a missing file, and a folder, are refused by name", async () => {
  await using at = await openWith("x");
  await expect(at.ann.read("not-there")).rejects.toMatchObject({ code: "missing_path", data: { path: "not-there" } });
  await expect(at.ann.read("file/below")).rejects.toMatchObject({ code: "bad_input" });
  await expect(at.ann.read("folder")).rejects.toThrow(/list_files/u);
});

test("an aborted read rejects with the reason", async () => {
  await using at = await openWith("x");
  await expect(at.ann.read("file", { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
});

test("reading on from note to note gives every line of any text once and in order", async () => {
  const line = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll(/[\n\0\u{feff}]/gu, "."));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), async (lines, step) => {
      const content = lines.join("\n");
      await using at = await openWith(content);
      let [text, fromLine, linesTotal] = ["", 1, 1];
      while (fromLine <= linesTotal) {
        const read = await at.ann.read("file", { fromLine, lines: step });
        if (read.kind !== "text") throw new Error("binary");
        text += read.text;
        expect(read.toLine - fromLine + 1).toBe(Math.min(step, read.linesTotal - fromLine + 1));
        [fromLine, linesTotal] = [fromLine + step, read.linesTotal];
      }
      expect(text).toBe(content);
    }),
    { numRuns: 100 },
  );
});
