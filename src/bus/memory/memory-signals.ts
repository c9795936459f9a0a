import type { Subscriber } from "rxjs";
import type { Bus, Signal } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { GuardedObservable } from "../guarded-observable.ts";
import type { OpenGate } from "../open-gate.ts";

/** Signals by topic: handed to whoever follows at that moment, within `publish`, and kept for nobody. */
export class MemorySignals {
  readonly #gate: OpenGate;
  readonly #report: FaultReporter;
  /** The arrays are replaced, never changed: observers come and go while one is walked. */
  readonly #followers = new Map<string, readonly Subscriber<Signal>[]>();

  constructor(gate: OpenGate, report: FaultReporter) {
    this.#gate = gate;
    this.#report = report;
  }

  readonly port: Bus["signals"] = {
    publish: (signal) => {
      for (const subscriber of this.#followers.get(signal.topic) ?? []) subscriber.next(signal);
    },
    follow: (topic) =>
      new GuardedObservable<Signal>(this.#report, (subscriber) => {
        this.#gate.requireOpen();
        this.#followers.set(topic, [...(this.#followers.get(topic) ?? []), subscriber]);
        return () => this.#unfollow(topic, subscriber);
      }),
  };

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
