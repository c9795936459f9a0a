import type { Subscriber } from "rxjs";
import type { Bus, Signal } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { GuardedObservable } from "../guarded-observable.ts";
import type { OpenGate } from "../open-gate.ts";

/** Signals by topic: handed to whoever follows at that moment, within `publish`, and kept for nobody. */
export class MemorySignals {
  readonly #gate: OpenGate;
  readonly #report: FaultReporter;
  readonly #onFollow: () => void;
  /** The arrays are replaced, never changed: observers come and go while one is walked. */
  readonly #followers = new Map<string, readonly Subscriber<Signal>[]>();

  /** `onFollow` is told whenever somebody begins to follow. */
  constructor(gate: OpenGate, report: FaultReporter, onFollow: () => void = () => {}) {
    this.#gate = gate;
    this.#report = report;
    this.#onFollow = onFollow;
  }

  readonly port: Bus["signals"] = {
    publish: (signal) => {
      for (const subscriber of this.#followers.get(signal.topic) ?? []) subscriber.next(signal);
    },
    follow: (topic) =>
      new GuardedObservable<Signal>(this.#report, (subscriber) => {
        this.#gate.requireOpen();
        this.#followers.set(topic, [...(this.#followers.get(topic) ?? []), subscriber]);
        this.#onFollow();
        return () => this.#unfollow(topic, subscriber);
      }),
  };

  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  close(): void {
    const followers = [...this.#followers.values()].flat();
    this.#followers.clear();
    for (const subscriber of followers) subscriber.complete();
  }

  #unfollow(topic: string, subscriber: Subscriber<Signal>): void {
    const left = (this.#followers.get(topic) ?? []).filter((each) => each !== subscriber);
    if (left.length === 0) this.#followers.delete(topic);
    else this.#followers.set(topic, left);
  }
}
