import { afterEach, beforeEach } from "vitest";
import type { Append, Bus, SessionKey, Stored, SubjectFilter } from "../../../src/bus/bus.ts";
import type { Input } from "../../../src/protocol/input.ts";
import { createVirtualClock, type VirtualClock } from "../../../src/testing/virtual-clock.ts";
import type { MakeBus } from "./bus-maker.ts";

/** How long a bus over a network may take. A wait that ends by it has failed. */
const waitMs = 10_000;

/** A session that a test uses when it doesn't matter which. */
export const home: SessionKey = { namespace: "tests", session: "home" };

/** An input as its owner would append it; the sender owns the mailbox unless said otherwise. */
export const appendOf = (
  id: string,
  options: Partial<Append["subject"]> & { readonly body?: unknown } = {},
): Append => {
  const { body, ...where } = options;
  const subject = { ...home, actor: "lead", sender: where.actor ?? "lead", ...where };
  const { actor, sender: from } = subject;
  const input: Input = { id, at: 1, actor, from, epoch: 1, event: { type: "run.completed", run: 1, k: 1 } };
  return { subject, input, ...(body === undefined ? {} : { body }) };
};

/** The ids of records. */
export const idsOf = (records: readonly Stored[]): readonly string[] => records.map(({ input }) => input.id);

/** Everything that one follow was given, and waits for what it will be given. */
export class Collector {
  readonly records: Stored[] = [];
  error: unknown = null;
  isComplete = false;
  readonly #waiters = new Set<() => void>();
  readonly #subscription: { unsubscribe(): void };

  /** `onRecord` runs within the delivery, after the record was noted. */
  constructor(bus: Bus, filter: SubjectFilter, fromSeq: number, onRecord: (stored: Stored) => void = () => undefined) {
    const told = (): void => this.#tell();
    this.#subscription = bus.follow(filter, fromSeq).subscribe({
      next: (stored) => {
        this.records.push(stored);
        onRecord(stored);
        told();
      },
      error: (error: unknown) => {
        this.error = error;
        told();
      },
      complete: () => {
        this.isComplete = true;
        told();
      },
    });
  }

  get ids(): readonly string[] {
    return idsOf(this.records);
  }

  get seqs(): readonly number[] {
    return this.records.map(({ seq }) => seq);
  }

  /** Whoever waits looks again: nothing will come that wakes it. */
  unsubscribe(): void {
    this.#subscription.unsubscribe();
    this.#tell();
  }

  /** Resolves once `isDone` holds; rejects with what came instead when it doesn't in time. */
  async until(isDone: () => boolean): Promise<void> {
    if (isDone()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = (): void => void (isDone() && resolve());
    const late = (): void => reject(new Error(`only came: ${this.ids.join(", ")}; error: ${String(this.error)}`));
    const timer = setTimeout(late, waitMs);
    this.#waiters.add(waiter);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  #tell(): void {
    for (const waiter of this.#waiters) waiter();
  }

  /** Resolves once the record with this id came. */
  untilId(id: string): Promise<void> {
    return this.until(() => this.records.some(({ input }) => input.id === id));
  }
}

/** A bus of its own for every test of a suite, with its clock and the faults it reported. */
export interface TestBus {
  readonly bus: Bus;
  readonly clock: VirtualClock;
  readonly faults: readonly unknown[];
}

/** Makes a bus before every test and closes it behind. Reports of faults are only looked at by those who expect some. */
export const useBus = (makeBus: MakeBus): TestBus => {
  const test = { bus: null as unknown as Bus, clock: null as unknown as VirtualClock, faults: [] as unknown[] };
  beforeEach(async () => {
    test.faults = [];
    test.clock = createVirtualClock();
    test.bus = await makeBus({ clock: test.clock, onError: (error) => void test.faults.push(error) });
  });
  afterEach(() => test.bus.close());
  return test;
};
