import type { Bench, BenchContext, BenchGraph } from "./adapter.ts";

/**
 * The workloads on bare promises: the least that keeps the rules of a graph, with no states, log, mailboxes or limits.
 * Whatever the runtime costs is told as a multiple of this, measured in the same run.
 */
export const controls: Bench = {
  dag: runGraph,
  pingpong,
  broadcaster: (count) => Promise.resolve(new Broadcaster(count)),
  idle: (count) => Promise.resolve(Array.from({ length: count }, (_, index) => new IdleMember(`m${index}`))),
  close: () => Promise.resolve(),
};

/** Counts each member's open upstreams down; the last one that completes starts it. */
async function runGraph({ n, deps }: BenchGraph, context: BenchContext): Promise<void> {
  const open = deps.map((upstreams) => upstreams.length);
  const downstreams: number[][] = deps.map(() => []);
  deps.forEach((upstreams, member) => {
    for (const upstream of upstreams) downstreams[upstream]?.push(member);
  });
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let left = n;
  const run = async (member: number): Promise<void> => {
    await context.step(member);
    for (const next of downstreams[member] ?? []) {
      const rest = (open[next] ?? 0) - 1;
      open[next] = rest;
      if (rest === 0) run(next).catch(reject);
    }
    if (--left === 0) resolve();
  };
  deps.forEach((upstreams, member) => {
    if (upstreams.length === 0) run(member).catch(reject);
  });
  await done;
}

/** A mailbox of one slot: `take` resolves with what `put` brings. */
class Slot {
  #arrived = Promise.withResolvers<number>();

  put(value: number): void {
    this.#arrived.resolve(value);
  }

  async take(): Promise<number> {
    const value = await this.#arrived.promise;
    this.#arrived = Promise.withResolvers();
    return value;
  }
}

async function pingpong(count: number): Promise<void> {
  const [ping, pong] = [new Slot(), new Slot()];
  const talk = async (own: Slot, other: Slot): Promise<void> => {
    for (;;) {
      const handled = (await own.take()) + 1;
      other.put(handled);
      if (handled >= count) return;
    }
  };
  pong.put(0);
  await Promise.all([talk(ping, pong), talk(pong, ping)]);
}

class IdleMember {
  readonly name: string;
  readonly mail: string[] = [];
  handled = 0;

  constructor(name: string) {
    this.name = name;
  }

  async handle(message: string): Promise<void> {
    this.mail.push(message);
    await Promise.resolve();
    this.handled += this.mail.splice(0).length;
  }
}

class Broadcaster {
  readonly #members: readonly IdleMember[];

  constructor(count: number) {
    this.#members = Array.from({ length: count }, (_, index) => new IdleMember(`m${index}`));
  }

  async send(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.handle("the same for all")));
  }
}
