import { Subject, type Observable, type Subscriber } from "rxjs";
import type { Append, Bus, Signal, Stored, SubjectFilter } from "../../bus/bus.ts";
import { faultReporter, type FaultReporter } from "../../bus/fault-reporter.ts";
import { GuardedObservable } from "../../bus/guarded-observable.ts";
import { busClosed } from "../../bus/open-gate.ts";
import type { LinkFates } from "./link-fates.ts";
import { SimFollower } from "./sim-follower.ts";
import type { SimProcess } from "./sim-process.ts";
import type { SimScheduler } from "./sim-scheduler.ts";
import type { SimStore } from "./sim-store.ts";

/** The way to the store is interrupted; whether what was asked for has been done is unknown. */
export class SimLinkError extends Error {
  override readonly name = "SimLinkError";
}

/** How long a client waits for an answer that does not come. */
const answerMs = 300;

/** What a connection is made of. */
export interface SimConnectionOptions {
  readonly scheduler: SimScheduler;
  readonly process: SimProcess;
  readonly store: SimStore;
  readonly fates: LinkFates;
  /** Told what an observer throws. */
  readonly onFault?: (fault: unknown) => void;
}

/**
 * A process's way to the store: a bus whose every request and delivery takes its time and may fail, as one over a network
 * would. What is asked for arrives in the order in which it was asked for, and answers in that in which they were given. Values
 * are copied on the way. Followers go on behind a break at the record after their last one.
 */
export class SimConnection implements Bus {
  readonly kind = "nats";
  readonly #options: SimConnectionOptions;
  readonly #report: FaultReporter;
  readonly #followers = new Set<SimFollower>();
  readonly #signalled = new Set<Subscriber<Signal>>();
  readonly #pending = new Set<Promise<unknown>>();
  /** Requests on their way: of several that arrive at one time the first one is done first. */
  readonly #sent: (() => void)[] = [];
  /** Answers on their way back, in the same manner. */
  readonly #answers: (() => void)[] = [];
  #isOpen = true;
  #isUp = true;
  #closing: Promise<void> | null = null;
  readonly claims: Bus["claims"];
  readonly checkpoints: Bus["checkpoints"];
  readonly blobs: Bus["blobs"];
  readonly signals: Bus["signals"];

  constructor(options: SimConnectionOptions) {
    this.#options = options;
    this.#report = faultReporter(options.onFault);
    const { claims, checkpoints, blobs } = options.store.core;
    this.claims = {
      claim: (key, owner, leaseMs) => this.#ask("claim", () => claims.claim(key, owner, leaseMs)),
      release: (claim) => this.#ask("release", () => claims.release(claim)),
      holder: (key) => this.#ask("holder", () => claims.holder(key)),
    };
    this.checkpoints = {
      get: (key) => this.#ask("get checkpoint", () => checkpoints.get(key)),
      put: (key, value, expected) => this.#put(key, copyOf(value), expected),
      delete: (key) => this.#ask("delete checkpoint", () => checkpoints.delete(key)),
    };
    this.blobs = {
      put: (digest, value, holder) => this.#ask("put body", () => blobs.put(digest, copyOf(value), holder)),
      get: (digest) => this.#ask("get body", () => blobs.get(digest)),
      delete: (digest) => this.#ask("delete body", () => blobs.delete(digest)),
    };
    this.signals = { publish: (signal) => this.#publish(signal), follow: (topic) => this.#followSignals(topic) };
  }

  append(append: Append): Promise<number> {
    const sent = copyOf(append);
    return this.#ask(`append ${append.input.event.type}`, () => this.#options.store.core.append(sent), true);
  }

  follow(filter: SubjectFilter, fromSeq: number): Observable<Stored> {
    return new GuardedObservable<Stored>(this.#report, (subscriber) => {
      if (!this.#isOpen) throw busClosed();
      const { scheduler, process, store, fates } = this.#options;
      const follower = new SimFollower({ scheduler, process, core: store.core, fates, filter, subscriber }, fromSeq);
      this.#followers.add(follower);
      if (this.#isUp) follower.attach();
      return () => {
        follower.detach();
        this.#followers.delete(follower);
      };
    });
  }

  read(...[filter, range]: Parameters<Bus["read"]>): Promise<readonly Stored[]> {
    return this.#ask("read", () => this.#options.store.core.read(filter, range));
  }

  trim(...[session, beforeSeq]: Parameters<Bus["trim"]>): Promise<void> {
    return this.#ask("trim", () => this.#options.store.core.trim(session, beforeSeq));
  }

  sessions(namespace: string): Promise<readonly string[]> {
    return this.#ask("sessions", () => this.#options.store.core.sessions(namespace));
  }

  purge(session: Parameters<Bus["purge"]>[0]): ReturnType<Bus["purge"]> {
    return this.#ask("purge", () => this.#options.store.core.purge(session));
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** The way is interrupted: nothing gets through, what is being delivered is lost, and requests fail. */
  interrupt(): void {
    this.#isUp = false;
    for (const follower of this.#followers) follower.detach();
  }

  /** The way is there again; followers go on where they were. */
  restore(): void {
    if (!this.#isOpen) return;
    this.#isUp = true;
    for (const follower of this.#followers) follower.attach();
  }

  /** The process is dead: whoever of it still asks is refused at once. */
  abandon(): void {
    this.interrupt();
    this.#isOpen = false;
    this.#followers.clear();
  }

  async #close(): Promise<void> {
    this.#isOpen = false;
    await Promise.allSettled(this.#pending);
    for (const follower of this.#followers) follower.complete();
    for (const subscriber of this.#signalled) subscriber.complete();
    this.interrupt();
  }

  /** A checkpoint that was stored and not confirmed is found to be one's own by its value. */
  #put(key: string, value: unknown, expected: number): Promise<number | null> {
    return this.#ask("put checkpoint", () => this.#options.store.core.checkpoints.put(key, value, expected));
  }

  /** Sends a request and resolves with its answer. `repeats`: doing it twice is the same as once. */
  #ask<Value>(what: string, perform: () => Promise<Value>, repeats = false): Promise<Value> {
    if (!this.#isOpen) return Promise.reject(busClosed());
    const { scheduler, process, fates } = this.#options;
    const answer = Promise.withResolvers<Value>();
    const fate = fates.request();
    const later = (label: string, ms: number, run: () => void): void =>
      void scheduler.schedule(run, ms, { process, label: `${label} ${what}` });
    const fail = (): void => answer.reject(new SimLinkError(`no answer to ${what}`));
    const arrive = (): void => {
      const done = perform();
      if (fate.isDoubled && repeats) perform().catch(() => {});
      if (fate.loss === "confirmation") later("unconfirmed", answerMs, fail);
      const tell = (run: () => void): void => {
        this.#answers.push(run);
        later("answer to", fate.backMs, () => this.#answers.shift()?.());
      };
      done.then(
        (value) => tell(() => answer.resolve(value)),
        (error: unknown) => tell(() => answer.reject(error)),
      );
    };
    if (!this.#isUp || fate.loss === "request") later("lost", answerMs, fail);
    else this.#send(what, fate.toMs, arrive);
    const { promise } = answer;
    this.#pending.add(promise);
    const settle = (): void => void this.#pending.delete(promise);
    promise.then(settle, settle);
    return promise;
  }

  /** What was sent arrives even if its sender is dead by then. */
  #send(what: string, ms: number, arrive: () => void): void {
    this.#sent.push(arrive);
    const { scheduler, process } = this.#options;
    scheduler.schedule(() => this.#sent.shift()?.(), ms, { label: `${process.name} -> ${what}` });
  }

  #publish(signal: Signal): void {
    if (!this.#isOpen || !this.#isUp) return;
    const sent = copyOf(signal);
    this.#send("signal", this.#options.fates.request().toMs, () => this.#options.store.core.signals.publish(sent));
  }

  #followSignals(topic: string): Observable<Signal> {
    const { store, scheduler, process, fates } = this.#options;
    return new GuardedObservable<Signal>(this.#report, (subscriber) => {
      if (!this.#isOpen) throw busClosed();
      this.#signalled.add(subscriber);
      const arrived = new Subject<Signal>();
      const arriving: Signal[] = [];
      const told = arrived.subscribe(subscriber);
      const deliver = (): void => {
        const next = arriving.shift();
        if (next !== undefined) arrived.next(next);
      };
      const take = (signal: Signal): void => {
        if (!this.#isUp) return;
        arriving.push(signal);
        scheduler.schedule(deliver, fates.delivery().ms, { process, label: "signal" });
      };
      this.#send("follow signals", fates.request().toMs, () => {
        if (!subscriber.closed) told.add(store.core.signals.follow(topic).subscribe(take));
      });
      return () => {
        told.unsubscribe();
        this.#signalled.delete(subscriber);
      };
    });
  }
}

/** What crosses a network is a copy. */
const copyOf = <Value>(value: Value): Value => structuredClone(value);
