import type { Clock } from "../../protocol/clock.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SimProcess } from "./sim-process.ts";

/** Something that is going to happen. */
export interface SimTask {
  /** Whose it is: what belongs to a process waits while that is stopped, and never happens once it is dead. */
  readonly process: SimProcess | null;
  readonly label: string;
  readonly run: () => void;
}

interface Queued extends SimTask {
  dueMs: number;
  /** Decides between tasks of one time. */
  tie: number;
  isCancelled: boolean;
}

/** What a task needs beside what it does. */
interface Timing {
  readonly process?: SimProcess | null;
  readonly label: string;
}

/** Time of the world when a simulation begins: any that is not 0 will do. */
const startMs = 1_000_000;

/**
 * The one queue of a simulated world. Whatever happens later, a delivery, a confirmation, a timer, an answer of a model, is
 * a task of it; one task runs at a time, and all that follows from it without waiting is over before the next one. Time
 * jumps from task to task. Tasks of one time run in an order that chance decides.
 */
export class SimScheduler implements Clock {
  readonly #random: SeededRandom;
  readonly #onTask: (nowMs: number, task: SimTask) => void;
  readonly #heap: Queued[] = [];
  #nowMs = startMs;

  /** `onTask` is told of every task before it runs. */
  constructor(random: SeededRandom, onTask: (nowMs: number, task: SimTask) => void = () => {}) {
    this.#random = random;
    this.#onTask = onTask;
  }

  /** Time of the world. */
  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, ms: number): object {
    return this.schedule(callback, ms, { label: "timer" });
  }

  clearTimeout(handle: object): void {
    // A handle of this clock is what `schedule` gave.
    (handle as Queued).isCancelled = true;
  }

  /** Puts a task into the queue, to run after so many milliseconds; it never runs within this call. */
  schedule(run: () => void, afterMs: number, { process = null, label }: Timing): object {
    const dueMs = this.#nowMs + Math.max(0, Math.ceil(afterMs));
    const task = { process, label, run, dueMs, tie: this.#random.next(), isCancelled: false };
    this.#push(task);
    return task;
  }

  /** Puts a task that was held back into the queue again, due at once. */
  requeue(task: SimTask): void {
    // Only what was handed to `hold` comes back.
    const queued = task as Queued;
    queued.dueMs = this.#nowMs;
    queued.tie = this.#random.next();
    this.#push(queued);
  }

  /** Whether anything is left to happen. */
  get isEmpty(): boolean {
    return this.#heap.length === 0;
  }

  /** Runs the next task and all that follows from it; false when there is none. */
  async step(): Promise<boolean> {
    const task = this.#next();
    if (task === null) return false;
    this.#nowMs = Math.max(this.#nowMs, task.dueMs);
    this.#onTask(this.#nowMs, task);
    task.run();
    await settle();
    return true;
  }

  /** The next task whose process can run it. */
  #next(): Queued | null {
    for (;;) {
      const task = this.#pop();
      if (task === undefined) return null;
      if (task.isCancelled) continue;
      if (task.process === null || task.process.state === "running") return task;
      if (task.process.state === "stopped") task.process.hold(task);
    }
  }

  #push(task: Queued): void {
    const heap = this.#heap;
    let at = heap.push(task) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(task, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = task;
  }

  #pop(): Queued | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const below = right !== undefined && left !== undefined && isBefore(right, left) ? right : left;
      if (below === undefined || !isBefore(below, last)) break;
      heap[at] = below;
      at = below === right ? 2 * at + 2 : 2 * at + 1;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Queued, b: Queued): boolean => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.tie < b.tie);

/** Lets all go on that waits for nothing: one turn of the event loop empties the queue of promises. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
