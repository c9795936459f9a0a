import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { appendOf, home, idsOf } from "./contract/test-bus.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test("what was appended is there when the file is opened again, and sequences and epochs go on growing", async () => {
  const path = join(temporaryFolder(), "bus.db");
  const first = sqliteBus({ path });
  const seq = await first.append(appendOf("a", { body: { large: "é".repeat(20_000) } }));
  const claim = await first.claims.claim("k", "ann", 1_000);
  await first.trim(home, Infinity);
  await first.close();
  const second = sqliteBus({ path });
  expect(await second.append(appendOf("a"))).toBeGreaterThan(seq);
  await second.claims.release(claim!);
  expect((await second.claims.claim("k", "bob", 1_000))?.epoch).toBeGreaterThan(claim!.epoch);
  await second.close();
});

test("the files are for this user alone, and so is the folder that is made for them", async () => {
  const folder = join(temporaryFolder(), "made", "deeper");
  const path = join(folder, "bus.db");
  const bus = sqliteBus({ path });
  await bus.append(appendOf("a"));
  bus.signals.publish({ topic: "t", value: 1 });
  for (const end of ["", "-wal", "-shm", "-signals"]) expect(modeOf(path + end)).toBe("600");
  expect(modeOf(folder)).toBe("700");
  await bus.close();
  chmodSync(path, 0o644);
  await sqliteBus({ path }).close();
  expect(modeOf(path)).toBe("600");
});

const refusalOf = (path: string): unknown => {
  try {
    sqliteBus({ path });
  } catch (error) {
    return error;
  }
  return null;
};

test("a file that is no database, damaged, of another program or of a later version is refused and left as it is", async () => {
  const folder = temporaryFolder();
  const text = join(folder, "notes.txt");
  writeFileSync(text, "these are my notes\n".repeat(100));
  const foreign = join(folder, "foreign.db");
  const other = new DatabaseSync(foreign);
  other.exec("CREATE TABLE mine (a)");
  other.close();
  const later = join(folder, "later.db");
  await sqliteBus({ path: later }).close();
  const newer = new DatabaseSync(later);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  const half = join(folder, "half.db");
  await sqliteBus({ path: half }).close();
  truncateSync(half, 5_000);
  for (const [path, reason] of [
    [text, /no SQLite database/],
    [foreign, /another program/],
    [later, /later version/],
    [half, /damaged/],
    [folder, /it is a folder/],
    [join(text, "bus.db"), /part of its path is a file/],
  ] as const) {
    const before = path === folder || !existsSync(path) ? null : readFileSync(path);
    const error = refusalOf(path);
    expect(error, path).toMatchObject({ code: "bus_unavailable", data: { reason: expect.stringMatching(reason) } });
    if (before !== null) expect(readFileSync(path).equals(before), path).toBe(true);
  }
});

test.each(["", ":memory:", "a\0b", 7])("the path %j is bad_input", (path) => {
  expect(refusalOf(path as string)).toMatchObject({ code: "bad_input" });
});

/** Root may write anywhere, so the test is taken by somebody else. */
test.skipIf(process.getuid === undefined)(
  "a folder that may not be written is bus_unavailable, with what to do",
  () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const locked = join(folder, "locked");
    mkdirSync(locked, { mode: 0o555 });
    const script = `
    if (process.getuid() === 0) process.setuid(65534);
    const { sqliteBus } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/bus/sqlite.ts"))});
    try { sqliteBus({ path: ${JSON.stringify(join(locked, "bus.db"))} }); console.log("opened"); }
    catch (error) { console.log(error.code, error.message); }`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(child.stdout).toMatch(/^bus_unavailable .*may not open it.*Give this user the right/s);
  },
);

test("on a full disk appends are refused and nothing of them is stored; once there is room they can be made again", async () => {
  const path = join(temporaryFolder(), "bus.db");
  const small = sqliteBus({ path, fileBytesMax: 400_000 });
  await small.append(appendOf("first"));
  const large = appendOf("large", { body: "x".repeat(1_000_000) });
  const [kept, refused] = await Promise.allSettled([small.append(appendOf("beside")), small.append(large)]);
  expect(kept).toMatchObject({ status: "fulfilled" });
  expect(refused).toMatchObject({
    reason: { code: "bus_unavailable", data: { reason: expect.stringMatching(/no room/) } },
  });
  expect(idsOf(await small.read(home, { fromSeq: 1 }))).toEqual(["first", "beside"]);
  await small.close();
  const roomy = sqliteBus({ path });
  await roomy.append(large);
  expect(idsOf(await roomy.read(home, { fromSeq: 1 }))).toEqual(["first", "beside", "large"]);
  await roomy.close();
});

test("the file of signals is made anew when it can't be used, and lost signals are all that is lost", async () => {
  const path = join(temporaryFolder(), "bus.db");
  const first = sqliteBus({ path });
  await first.append(appendOf("a"));
  await first.close();
  writeFileSync(`${path}-signals`, "no database".repeat(500));
  const second = sqliteBus({ path });
  expect(idsOf(await second.read(home, { fromSeq: 1 }))).toEqual(["a"]);
  await second.close();
  rmSync(path);
});
