import { Observable, type Observer, type Operator, type Subscriber, type Subscription, type TeardownLogic } from "rxjs";

/**
 * An Observable whose subscribers cannot hurt the host. RxJS rethrows what a subscriber throws on a timer, which ends a
 * process; here it goes to `onFault`, through any chain of operators.
 */
export class GuardedObservable<T> extends Observable<T> {
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void, subscribe?: (subscriber: Subscriber<T>) => TeardownLogic) {
    super(subscribe);
    this.#onFault = onFault;
  }

  // RxJS derives every piped observable through `lift`: guarded as well.
  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>(this.#onFault);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(
    observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    const observer: Partial<Observer<T>> =
      typeof observerOrNext === "function" || observerOrNext == null
        ? { next: observerOrNext ?? undefined, error: error ?? undefined, complete: complete ?? undefined }
        : observerOrNext;
    const guard = (call: () => void): void => {
      try {
        call();
      } catch (fault) {
        this.#onFault(fault);
      }
    };
    return super.subscribe({
      next: (value) => guard(() => observer.next?.(value)),
      error: (fault: unknown) =>
        guard(() => (observer.error === undefined ? this.#onFault(fault) : observer.error(fault))),
      complete: () => guard(() => observer.complete?.()),
    });
  }
}
