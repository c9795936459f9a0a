import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Bus } from "../../src/bus/bus.ts";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/sessions.ts";
import { appendOf, Collector, home, idsOf } from "./contract/test-bus.ts";

/** Two buses on one file, as two processes have them. */
function usePair(): readonly [Bus, Bus] {
  const path = join(temporaryFolder(), "bus.db");
  const pair = [sqliteBus({ path }), sqliteBus({ path })] as const;
  onTestFinished(async () => void (await Promise.all(pair.map((bus) => bus.close()))));
  return pair;
}

test("what another bus appends is delivered, in the one order of the stream, to everybody alike", async () => {
  const [ann, bob] = usePair();
  const [here, there] = [new Collector(ann, home, 1), new Collector(bob, home, 1)];
  const ids = Array.from({ length: 40 }, (_, n) => `id${n}`);
  for (const id of ids) await (Number(id.slice(2)) % 3 === 0 ? bob : ann).append(appendOf(id));
  await Promise.all([here, there].map((each) => each.untilId("id39")));
  expect(here.ids).toEqual(ids);
  expect(there.seqs).toEqual(here.seqs);
});

test("both write at once: nothing is lost, and both see one order", async () => {
  const [ann, bob] = usePair();
  const [here, there] = [new Collector(ann, home, 1), new Collector(bob, home, 1)];
  const write = (bus: Bus, name: string) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => bus.append(appendOf(`${name}${n}`))));
  await Promise.all([write(ann, "a"), write(bob, "b")]);
  await Promise.all([here, there].map((each) => each.until(() => each.ids.length === 100)));
  expect(here.seqs).toEqual(there.seqs);
  expect(here.ids.filter((id) => id.startsWith("a"))).toEqual(Array.from({ length: 50 }, (_, n) => `a${n}`));
});

test("the same id from two buses is stored once", async () => {
  const [ann, bob] = usePair();
  expect(await bob.append(appendOf("a"))).toBe(await ann.append(appendOf("a")));
  expect(idsOf(await ann.read(home, { fromSeq: 1 }))).toEqual(["a"]);
});

test("signals reach the other bus; one's own come once", async () => {
  const [ann, bob] = usePair();
  const seen: unknown[][] = [[], []];
  [ann, bob].forEach((bus, at) => bus.signals.follow("t").subscribe(({ value }) => seen[at]?.push(value)));
  ann.signals.publish({ topic: "t", value: { one: 1 } });
  ann.signals.publish({ topic: "other", value: 0 });
  bob.signals.publish({ topic: "t", value: 2 });
  await until(() => seen.every((values) => values.length === 2));
  expect(seen.map((values) => values.length)).toEqual([2, 2]);
});

test("a lease of a process that was killed is free at once; one that lives keeps it", async () => {
  const path = join(temporaryFolder(), "bus.db");
  const script = `
    const { sqliteBus } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/bus/sqlite.ts"))});
    const claim = await sqliteBus({ path: ${JSON.stringify(path)} }).claims.claim("k", "child", 3_600_000);
    console.log(claim.epoch);
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [epoch] = (await once(child.stdout, "data")) as [Buffer];
  const bus = sqliteBus({ path });
  expect(await bus.claims.claim("k", "ann", 1_000)).toBeNull();
  expect(await bus.claims.holder("k")).toMatchObject({ owner: "child" });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await bus.claims.holder("k")).toBeNull();
  expect((await bus.claims.claim("k", "ann", 1_000))?.epoch).toBeGreaterThan(Number(epoch));
  await bus.close();
});

test("a writer that is killed within its transaction leaves nothing of it, and holds nobody up", async () => {
  const path = join(temporaryFolder(), "bus.db");
  const bus = sqliteBus({ path });
  await bus.append(appendOf("before"));
  const script = `
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(${JSON.stringify(path)});
    database.exec("BEGIN IMMEDIATE; DELETE FROM record");
    console.log("began");
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const waiting = bus.append(appendOf("meanwhile"));
  child.kill("SIGKILL");
  await waiting;
  expect(idsOf(await bus.read(home, { fromSeq: 1 }))).toEqual(["before", "meanwhile"]);
  await bus.close();
});
