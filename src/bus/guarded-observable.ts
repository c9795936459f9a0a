import { Observable, type Observer, type Subscriber, type Subscription, type TeardownLogic } from "rxjs";
import { callGuarded } from "../protocol/call-guarded.ts";
import type { FaultReporter } from "./fault-reporter.ts";

type Next<T> = ((value: T) => void) | null;

/**
 * An observable whose observers may throw: their faults go to `report`, and they go on with the next value.
 *
 * rxjs itself throws such a fault again from a timer, where nobody can catch it and it ends the process. The guard holds
 * for observers of this observable and of everything piped from it; behind `merge` and its like rxjs's own rule is back.
 * It extends Observable, because rxjs offers no other place to stand between an observable and its observer.
 */
export class GuardedObservable<T> extends Observable<T> {
  readonly #report: FaultReporter;

  constructor(report: FaultReporter, subscribe: (subscriber: Subscriber<T>) => TeardownLogic) {
    super(subscribe);
    this.#report = report;
  }

  override subscribe(
    observerOrNext?: Partial<Observer<T>> | Next<T>,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // An operator's subscriber handles its own faults, and must be subscribed as it is for the chain to be torn down.
    if (isSubscriber(observerOrNext)) return super.subscribe(observerOrNext);
    const observer =
      typeof observerOrNext === "object" && observerOrNext !== null
        ? observerOrNext
        : { next: observerOrNext ?? undefined, error: error ?? undefined, complete: complete ?? undefined };
    return super.subscribe(guard(observer, this.#report));
  }

  // rxjs keeps `lift` for subclasses until version 8; `pipe` makes its observables by it. What an operator gives is known
  // to its caller alone, hence the cast.
  override lift<R>(operator?: Parameters<Observable<T>["lift"]>[0]): Observable<R> {
    // oxlint-disable-next-line typescript/no-deprecated -- there is no other way to see what `pipe` makes
    const lifted = super.lift(operator) as Observable<R>;
    return new GuardedObservable<R>(this.#report, (subscriber) => lifted.subscribe(subscriber));
  }
}

/** Whether rxjs (any copy of it) would take this observer as one of its own subscribers. */
const isSubscriber = <T>(observer: Partial<Observer<T>> | Next<T> | undefined): observer is Subscriber<T> =>
  typeof observer === "object" && observer !== null && "add" in observer && "unsubscribe" in observer;

/** The observer, with every fault of its own reported; an error that it doesn't handle is reported as well. */
const guard = <T>(observer: Partial<Observer<T>>, report: FaultReporter): Observer<T> => ({
  next: callGuarded((value: T) => observer.next?.(value), report),
  error: callGuarded((error: unknown) => {
    if (observer.error === undefined) report(error);
    else return observer.error(error);
  }, report),
  complete: callGuarded(() => observer.complete?.(), report),
});
