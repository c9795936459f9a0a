import { map, Observable, take } from "rxjs";
import { describe, expect, test, vi } from "vitest";
import type { Bus, SessionKey, Stored } from "../../src/bus/bus.ts";
import { memoryBus } from "../../src/bus/memory.ts";
import { busContract } from "./contract.ts";
import { appendOf, Collector, home, useBus } from "./contract/test-bus.ts";

busContract("memory", async (options) => memoryBus(options), { leasesByClock: true, interleavings: 200 });

describe("within one turn of the memory bus", () => {
  const on = useBus(async (options) => memoryBus(options));

  test("followers have an input before its append resolves", async () => {
    const follower = new Collector(on.bus, home, 1);
    await on.bus.append(appendOf("a"));
    expect(follower.ids).toEqual(["a"]);
  });

  test("what is appended in a turn is delivered together, sessions interleaved as they were appended", async () => {
    const seen: string[] = [];
    const note = ({ input }: { input: { id: string } }): void => void seen.push(input.id);
    on.bus.follow(home, 1).subscribe(note);
    on.bus.follow({ ...home, session: "other" }, 1).subscribe(note);
    const appends = ["a", "b", "c"].flatMap((id) => [
      on.bus.append(appendOf(id)),
      on.bus.append(appendOf(`other-${id}`, { session: "other" })),
    ]);
    expect(seen).toEqual([]);
    await Promise.resolve();
    expect(seen).toEqual(["a", "other-a", "b", "other-b", "c", "other-c"]);
    expect(await Promise.all(appends)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("an input is passed on as the object that was appended", async () => {
    const given = appendOf("a", { body: { large: true } });
    await on.bus.append(given);
    const [stored] = await on.bus.read(home, { fromSeq: 1 });
    expect(stored?.input).toBe(given.input);
    expect(stored?.body).toBe(given.body);
  });

  test("a replay is over when subscribe returns", async () => {
    await Promise.all(["a", "b"].map((id) => on.bus.append(appendOf(id))));
    expect(new Collector(on.bus, home, 1).ids).toEqual(["a", "b"]);
  });

  test("who unsubscribes within a delivery, or is unsubscribed, gets nothing more of it", async () => {
    const followers: Collector[] = [];
    const leave = (): void => followers.forEach((follower) => follower.unsubscribe());
    followers.push(new Collector(on.bus, home, 1, leave), new Collector(on.bus, home, 1));
    await Promise.all(["a", "b"].map((id) => on.bus.append(appendOf(id))));
    expect(followers.map(({ ids }) => ids)).toEqual([["a"], []]);
  });

  test("a trim within a delivery cuts nothing off it", async () => {
    const trims: Promise<void>[] = [];
    const trimmer = new Collector(on.bus, home, 1, () => void trims.push(on.bus.trim(home, Infinity)));
    const other = new Collector(on.bus, home, 1);
    await Promise.all(["a", "b", "c"].map((id) => on.bus.append(appendOf(id))));
    await Promise.all(trims);
    expect([trimmer.ids, other.ids]).toEqual(Array.from({ length: 2 }, () => ["a", "b", "c"]));
    expect(await on.bus.read(home, { fromSeq: 1 })).toEqual([]);
  });

  test("a trim within a replay cuts nothing off it", async () => {
    await Promise.all(["a", "b", "c"].map((id) => on.bus.append(appendOf(id))));
    const trims: Promise<void>[] = [];
    const trimmer = new Collector(on.bus, home, 1, () => void trims.push(on.bus.trim(home, Infinity)));
    expect(trimmer.ids).toEqual(["a", "b", "c"]);
    await Promise.all(trims);
    expect(await on.bus.read(home, { fromSeq: 1 })).toEqual([]);
  });

  test("closing delivers what was appended before, also when it is closed within the delivery", async () => {
    const closes: Promise<void>[] = [];
    const follower = new Collector(on.bus, home, 1, ({ input }) => {
      if (input.id === "a")
        closes.push(
          on.bus.append(appendOf("of-a")).then(() => undefined),
          on.bus.close(),
        );
    });
    await Promise.all(["a", "b"].map((id) => on.bus.append(appendOf(id))));
    await Promise.all(closes);
    expect(follower.ids).toEqual(["a", "b", "of-a"]);
    expect(follower.isComplete).toBe(true);
  });

  test("a digest that has a body keeps it, whatever is put under it later", async () => {
    await on.bus.blobs.put("d", "first");
    await on.bus.blobs.put("d", "forged");
    expect(await on.bus.blobs.get("d")).toBe("first");
  });

  test("a signal has reached everybody when publish returns; who begins within it waits for the next", () => {
    const seen: unknown[] = [];
    const late: unknown[] = [];
    on.bus.signals.follow("t").subscribe(({ value }) => {
      seen.push(value);
      if (seen.length === 1) on.bus.signals.follow("t").subscribe((signal) => late.push(signal.value));
    });
    on.bus.signals.publish({ topic: "t", value: 1 });
    expect([seen, late]).toEqual([[1], []]);
    on.bus.signals.publish({ topic: "t", value: 2 });
    expect([seen, late]).toEqual([[1, 2], [2]]);
  });
});

describe("a fault that nobody takes", () => {
  test.each([
    ["no onError", {}],
    ["an onError that throws", { onError: () => expect.unreachable("the reporter fails") }],
  ])("is a process warning, with %s", async (_name, options) => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    try {
      const bus = memoryBus(options);
      const fault = new Error("of the observer");
      bus.follow(home, 1).subscribe(() => {
        throw fault;
      });
      await bus.append(appendOf("a"));
      await bus.close();
      expect(warn.mock.calls[0]).toEqual([fault]);
    } finally {
      warn.mockRestore();
    }
  });

  test("that is no Error becomes one that carries it", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    try {
      const bus = memoryBus();
      bus.signals.follow("t").subscribe(() => {
        throw "a text";
      });
      bus.signals.publish({ topic: "t", value: 1 });
      await bus.close();
      expect(warn.mock.calls[0]).toMatchObject([{ cause: "a text" }]);
    } finally {
      warn.mockRestore();
    }
  });
});

describe("memory", () => {
  const sessions = 2_000;
  const idOf = ({ input }: Stored): string => input.id;

  /** What is in use once everything that is under way has ended. */
  const heapUsed = async (): Promise<number> => {
    expect(globalThis.gc).toBeTypeOf("function");
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      globalThis.gc?.();
    }
    return process.memoryUsage().heapUsed;
  };

  const useSession = async (bus: Bus, key: SessionKey, end: "trimmed" | "dropped"): Promise<void> => {
    const follower = new Collector(bus, key, 1);
    const seqs = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        bus.append(appendOf(`${key.session}-${n}`, { ...key, body: "x".repeat(200) })),
      ),
    );
    const revision = await bus.checkpoints.put(key.session, { seq: seqs.at(-1) }, 0);
    expect(revision).not.toBeNull();
    await bus.checkpoints.delete(key.session);
    const claim = await bus.claims.claim(key.session, "node", 10_000);
    if (claim !== null) await bus.claims.release(claim);
    follower.unsubscribe();
    await bus.trim(key, (seqs.at(-1) ?? 0) + 1);
    if (end === "dropped") await bus.trim(key, Infinity);
  };

  const heapOf = async (bus: Bus, name: string, end: "trimmed" | "dropped"): Promise<number> => {
    for (let n = 0; n < 200; n += 1) await useSession(bus, { namespace: "warm", session: `${name}-${n}` }, end);
    const before = await heapUsed();
    for (let n = 0; n < sessions; n += 1) await useSession(bus, { namespace: "tests", session: `${name}-${n}` }, end);
    return ((await heapUsed()) - before) / sessions;
  };

  test("stays flat over 2,000 sessions that are used and dropped", async () => {
    const bus = memoryBus();
    expect(await heapOf(bus, "dropped", "dropped")).toBeLessThan(300);
    await bus.close();
  });

  test("keeps under 1 KB of a session whose log was trimmed to its end", async () => {
    const bus = memoryBus();
    expect(await heapOf(bus, "trimmed", "trimmed")).toBeLessThan(1_000);
    await bus.close();
  });

  test.each([
    ["directly", (bus: Bus, key: SessionKey) => bus.follow(key, 1).subscribe()],
    ["through operators", (bus: Bus, key: SessionKey) => bus.follow(key, 1).pipe(map(idOf), take(1)).subscribe()],
    [
      "by an observer that had ended before",
      (bus: Bus) =>
        new Observable<Stored>((subscriber) => {
          subscriber.complete();
          bus.follow(home, 1).subscribe(subscriber);
        }).subscribe(),
    ],
    ["for signals of a topic of its own", (bus: Bus, key: SessionKey) => bus.signals.follow(key.session).subscribe()],
  ])("keeps nothing of 10,000 follows that have ended: %s", async (_name, follow) => {
    const bus = memoryBus();
    await bus.append(appendOf("a"));
    const followAll = (from: number, to: number): void => {
      for (let n = from; n < to; n += 1) follow(bus, { namespace: "tests", session: `followed-${n}` }).unsubscribe();
    };
    followAll(0, 1_000);
    const before = await heapUsed();
    followAll(1_000, 11_000);
    expect((await heapUsed()) - before).toBeLessThan(10_000 * 100);
    await bus.close();
  });

  test("of a bus that was closed: it lets go of what it held, its followers notwithstanding", async () => {
    const bodies: WeakRef<object>[] = [];
    const bus = memoryBus();
    const fill = async (): Promise<void> => {
      const body = { large: "x".repeat(1_000) };
      bodies.push(new WeakRef(body));
      bus.follow(home, 1).subscribe();
      await Promise.all([
        bus.append(appendOf("a", { body })),
        bus.blobs.put("d", body),
        bus.checkpoints.put("k", body, 0),
      ]);
    };
    await fill();
    await bus.close();
    await heapUsed();
    expect(bodies.map((body) => body.deref())).toEqual([undefined]);
  });
});
