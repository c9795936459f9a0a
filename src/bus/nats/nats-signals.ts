import type { Msg, Subscription } from "@nats-io/nats-core";
import type { Subscriber } from "rxjs";
import type { Bus, Signal } from "../bus.ts";
import type { FaultReporter } from "../fault-reporter.ts";
import { GuardedObservable } from "../guarded-observable.ts";
import type { OpenGate } from "../open-gate.ts";
import type { Link } from "./link.ts";
import { keyToken } from "./subjects.ts";

interface Topic {
  readonly subscription: Subscription;
  /** The array is replaced, never changed: observers come and go while it is walked. */
  followers: readonly Subscriber<Signal>[];
}

/** Signals by core NATS: whoever listens at that moment gets them, and a server that is away loses them. */
export class NatsSignals {
  readonly #link: Link;
  readonly #gate: OpenGate;
  readonly #report: FaultReporter;
  readonly #topics = new Map<string, Topic>();

  constructor({
    link,
    gate,
    report,
  }: {
    readonly link: Link;
    readonly gate: OpenGate;
    readonly report: FaultReporter;
  }) {
    this.#link = link;
    this.#gate = gate;
    this.#report = report;
  }

  readonly port: Bus["signals"] = {
    publish: ({ topic, value }) => {
      if (!this.#gate.isOpen || !this.#link.isUp) return;
      try {
        this.#link.connection.publish(subjectOf(topic), JSON.stringify({ value }));
      } catch (fault) {
        // Too large for the server, or just closed: lost, as a signal may be.
        this.#report(this.#link.fault(fault));
      }
    },
    follow: (topic) =>
      new GuardedObservable<Signal>(this.#report, (subscriber) => {
        this.#gate.requireOpen();
        const followed = this.#topics.get(topic) ?? this.#open(topic);
        followed.followers = [...followed.followers, subscriber];
        return () => this.#leave(topic, followed, subscriber);
      }),
  };

  close(): void {
    const topics = [...this.#topics.values()];
    this.#topics.clear();
    for (const { followers } of topics) for (const subscriber of followers) subscriber.complete();
  }

  #open(topic: string): Topic {
    const callback = (error: Error | null | void, message: Msg): void => {
      if (error) this.#report(this.#link.fault(error));
      else this.#deliver(topic, message);
    };
    const opened: Topic = {
      subscription: this.#link.connection.subscribe(subjectOf(topic), { callback }),
      followers: [],
    };
    this.#topics.set(topic, opened);
    return opened;
  }

  #deliver(topic: string, message: Msg): void {
    let signal: Signal;
    try {
      const { value } = message.json<{ value?: unknown }>();
      signal = { topic, value };
    } catch {
      // Somebody else's: no signal of ours.
      return;
    }
    for (const subscriber of this.#topics.get(topic)?.followers ?? []) subscriber.next(signal);
  }

  #leave(topic: string, followed: Topic, subscriber: Subscriber<Signal>): void {
    followed.followers = followed.followers.filter((each) => each !== subscriber);
    if (followed.followers.length > 0) return;
    followed.subscription.unsubscribe();
    if (this.#topics.get(topic) === followed) this.#topics.delete(topic);
  }
}

const subjectOf = (topic: string): string => `tcs.${keyToken(topic)}`;
