import { appendFile, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toCheckpoint } from "../../src/machines/kernel/checkpoint.ts";
import { createHashChain } from "../../src/actors/recording/hash-chain.ts";
import { replay } from "../../src/testing/replay.ts";
import { choices, type Choices } from "../support/random-session.ts";
import { recordSession } from "../support/record-session.ts";

/** A session with a team, a message, a body and a replan that is refused. */
const sample: Choices = { lead: "none", numbers: [0, 1, 25_031, 77_777, 5_004, 123_456, 999_111, 40_404] };

const mismatchAt = (record: number) =>
  expect.objectContaining({ code: "replay_mismatch", data: expect.objectContaining({ record }) });

test("any recording folds to the session that was recorded", async () => {
  await fc.assert(
    fc.asyncProperty(choices(), fc.nat(5), async (numbers, fromInput) => {
      const { lines, session } = recordSession(numbers, { fromInput });
      const replayed = await replay(lines);
      expect(toCheckpoint(replayed.session)).toEqual(toCheckpoint(session));
      expect(replayed).toMatchObject({ lines: lines.length, truncated: null, error: null });
      expect(replayed.result?.answer).toBe("all is well");
      expect(replayed.steps).toHaveLength(lines.filter((line) => line.startsWith('{"type":"event"')).length);
    }),
    { numRuns: 40 },
  );
});

/** Every place in a JSON value that can be changed, as a path. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, part]) => places(part, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

/** The value with the part at `path` changed, or taken away. */
function changeAt(value: unknown, [key = "", ...rest]: readonly string[], change: (part: unknown) => unknown): unknown {
  const copy: unknown = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value as object));
  const holder = copy as Record<string, unknown>;
  const part = rest.length === 0 ? change(holder[key]) : changeAt(holder[key], rest, change);
  const entries = Object.entries(holder).flatMap(([each, old]): [string, unknown][] =>
    each === key ? (part === undefined ? [] : [[each, part]]) : [[each, old]],
  );
  return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

const otherThan = (value: unknown, kind: number): unknown => {
  if (kind === 0) return undefined;
  if (kind === 1) return null;
  if (typeof value === "number") return [value + 1, value - 1, -value - 1, "1"][kind % 4];
  if (typeof value === "boolean") return kind % 2 === 0 ? !value : "true";
  if (typeof value === "string") return [`${value} `, value.slice(1), "Lead", "handled", "run.completed", 7][kind % 6];
  return [{}, [], "x", { ...(value as object), more: 1 }][kind % 4];
};

test("changing any value of any line is a mismatch at that line", async () => {
  await fc.assert(
    fc.asyncProperty(choices(40), fc.nat(), fc.nat(), fc.nat(30), async (numbers, lineNumber, place, kind) => {
      const { lines } = recordSession(numbers, { fromInput: kind % 3 });
      const record = lineNumber % lines.length;
      const line: unknown = JSON.parse(lines[record]!);
      const all = places(line);
      const changed = changeAt(line, all[place % all.length]!, (part) => otherThan(part, kind));
      const text = JSON.stringify(changed);
      fc.pre(text !== lines[record]);
      await expect(replay(lines.with(record, text)), `${lines[record]} -> ${text}`).rejects.toEqual(mismatchAt(record));
    }),
    { numRuns: 120 },
  );
});

test("every single value of one recording is covered", async () => {
  const { lines } = recordSession(sample);
  let tried = 0;
  for (const [record, line] of lines.entries()) {
    for (const path of places(JSON.parse(line))) {
      for (const kind of [5]) {
        const text = JSON.stringify(changeAt(JSON.parse(line), path, (part) => otherThan(part, kind)));
        if (text === line) continue;
        tried++;
        await expect(replay(lines.with(record, text)), `${record}: ${path.join(".")}`).rejects.toEqual(
          mismatchAt(record),
        );
      }
    }
  }
  expect(tried).toBeGreaterThan(200);
});

test("a line that is missing, doubled or out of place is a mismatch there", async () => {
  await fc.assert(
    fc.asyncProperty(choices(40), fc.nat(), fc.nat(2), async (numbers, lineNumber, kind) => {
      const { lines } = recordSession(numbers);
      const at = lineNumber % (lines.length - 1);
      if (kind === 0) await expect(replay(lines.toSpliced(at, 1))).rejects.toEqual(mismatchAt(at));
      if (kind === 1) await expect(replay(lines.toSpliced(at, 0, lines[at]!))).rejects.toEqual(mismatchAt(at + 1));
      if (kind === 2) {
        const swapped = lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!);
        await expect(replay(swapped)).rejects.toEqual(mismatchAt(at));
      }
    }),
    { numRuns: 60 },
  );
});

test("a recording with all its hashes made anew is still held against what the machines do", async () => {
  const { lines } = recordSession(sample);
  const chain = createHashChain();
  const forged = lines.map((line) => {
    const value = JSON.parse(line.replace('"verdict":"handled"', '"verdict":"ignored"')) as object;
    return JSON.stringify({ ...value, hash: chain.next(value) });
  });
  const first = lines.findIndex((line) => line.includes('"verdict":"handled"'));
  await expect(replay(forged)).rejects.toThrow(
    `record ${first}: verdict is "ignored", not "handled". The recording was changed`,
  );
});

test("a mismatch names the field", async () => {
  const { lines } = recordSession(sample);
  const record = lines.findIndex((line) => line.includes('"actor":"A"') && line.includes('"status":"in_progress"'));
  expect(record).toBeGreaterThan(0);
  const changed = lines.with(record, lines[record]!.replace('"status":"in_progress"', '"status":"completed"'));
  await expect(replay(changed)).rejects.toThrow(`record ${record}: status is "completed", not "in_progress"`);
});

test("a recording made by other machines is machine_version and names both hashes", async () => {
  const { lines } = recordSession(sample);
  const header = JSON.parse(lines[0]!) as { machines: Record<string, string>; hash: string };
  const current = header.machines["member"];
  header.machines["member"] = "0".repeat(64);
  header.hash = createHashChain().next(header);
  await expect(replay([JSON.stringify(header), ...lines.slice(1)])).rejects.toMatchObject({
    code: "machine_version",
    data: { machine: "member", recorded: "0".repeat(64), current },
  });
});

test("a recording without an end tells up to where it is true", async () => {
  const { lines } = recordSession(sample);
  const whole = await replay(lines);
  expect(whole.truncated).toBeNull();
  for (let length = 1; length < lines.length; length++) {
    const { truncated, lines: good } = await replay(lines.slice(0, length));
    expect(truncated?.record).toBe(length);
    expect(good).toBe(length);
  }
});

test("a file whose writer was killed in the middle of a line is good up to that line", async () => {
  const { lines } = recordSession(sample);
  await using file = await tempFile(`${lines.join("\n")}\n`);
  expect(await replay(file.path)).toMatchObject({ lines: lines.length, truncated: null });
  const lastLine = lines.at(-1)!;
  await truncate(file.path, Buffer.byteLength(`${lines.slice(0, -1).join("\n")}\n`) + 40);
  expect(await replay(file.path)).toMatchObject({
    lines: lines.length - 1,
    truncated: { record: lines.length - 1, problem: "the line is cut off" },
    result: null,
  });
  await appendFile(file.path, `${lastLine.slice(20)}\nmore\n`);
  await expect(replay(file.path)).rejects.toEqual(mismatchAt(lines.length - 1));
});

test("separators that only some readers take for line ends stay inside their line", async () => {
  const { lines } = recordSession({ lead: "none", numbers: [0] });
  await using file = await tempFile(`${lines[0]}\n{"type":"\u2028\u2029\u0085"}\n`);
  await expect(replay(file.path)).rejects.toThrow("record 1: type is");
});

test("until stops behind the last input wanted, and what follows is not judged", async () => {
  const { lines } = recordSession(sample);
  const seqs = lines.map((line) => (JSON.parse(line) as { seq?: number }).seq);
  const until = seqs.find((seq) => seq !== undefined && seq > 4)!;
  const next = seqs.findIndex((seq) => seq !== undefined && seq > until);
  const { session, lines: checked, truncated } = await replay(lines.with(next + 1, "nonsense"), { until });
  expect(session.seq).toBe(until);
  expect(checked).toBeLessThanOrEqual(next);
  expect(truncated).toBeNull();
});

test.each([
  ["an empty recording", [], "bad_file"],
  ["text that is no JSON", ["hello"], "replay_mismatch"],
  ["a list", ["[]"], "replay_mismatch"],
  ["JSON that is no recording", ['{"type":"event"}'], "replay_mismatch"],
])("%s is a typed error", async (_name, lines, code) => {
  await expect(replay(lines)).rejects.toMatchObject({ code });
});

test("a file that is not there is bad_file", async () => {
  await expect(replay("/nowhere/at/all.ndjson")).rejects.toMatchObject({ code: "bad_file" });
  await expect(replay(tmpdir())).rejects.toMatchObject({ code: "bad_file" });
});

test("random bytes are a typed error or an unfinished recording", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await using file = await tempFile(bytes);
      await expect(replay(file.path)).rejects.toMatchObject({ name: "TeamError" });
    }),
    { numRuns: 40 },
  );
});

async function tempFile(content: string | Uint8Array) {
  const dir = await mkdtemp(join(tmpdir(), "replay-"));
  const path = join(dir, "a.ndjson");
  await writeFile(path, content);
  return { path, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

test.each([null, undefined, 3, {}])("what is no recording at all is refused: %s", async (source: unknown) => {
  const refused = expect.objectContaining({ code: "bad_input", data: expect.objectContaining({ what: "recording" }) });
  await expect(replay(source as string)).rejects.toThrow(refused);
});

test("a file whose lines all stand on one line is not called empty", async () => {
  const folder = await mkdtemp(join(tmpdir(), "teamchart-replay-"));
  try {
    const path = join(folder, "one-line.jsonl");
    await writeFile(path, recordSession(sample).lines.join(""));
    await expect(replay(path)).rejects.toThrow(/its first line is cut off, or holds more than one/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
