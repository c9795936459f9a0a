import {
  Actor,
  toObserver,
  type ActorLogic,
  type ActorOptions,
  type AnyMachineSnapshot,
  type EventObject,
  type Observer,
  type Subscription,
} from "xstate";
import { callGuarded } from "../protocol/call-guarded.ts";

/** The logic of a live actor: it shows what it is given. */
export type LiveLogic<Shown extends AnyMachineSnapshot = AnyMachineSnapshot> = ActorLogic<Shown, EventObject>;

/** What a live actor reaches the session by. */
export interface LivePort {
  readonly send: (token: string, event: EventObject) => void;
  readonly onError: (error: unknown) => void;
  readonly isLive: (token: string, actor: unknown) => boolean;
}

/**
 * An actor of the session as an XState actor, whose snapshot is the one of its machine: `getSnapshot().matches(...)`,
 * `subscribe`, `select`, `waitFor` and `useSelector` work as on any other.
 *
 * It differs in this. `send` hands the event to the session, as the user's command; the actor moves only when the session
 * has applied it. `stop` throws: it ends with its team. A subscriber that throws, or whose promise rejects, hurts nobody.
 */
export class LiveActor<Shown extends AnyMachineSnapshot = AnyMachineSnapshot> extends Actor<LiveLogic<Shown>> {
  /** The actor's token in the session. */
  readonly token: string;
  readonly #port: LivePort;

  constructor(port: LivePort, token: string, logic: LiveLogic<Shown>, options: ActorOptions<LiveLogic<Shown>>) {
    super(logic, options);
    this.token = token;
    this.#port = port;
  }

  override send(event: EventObject): void {
    this.#port.send(this.token, event);
  }

  override subscribe(observer: Observer<Shown>): Subscription;
  override subscribe(
    next?: (snapshot: Shown) => void,
    error?: (error: unknown) => void,
    complete?: () => void,
  ): Subscription;
  override subscribe(
    nextOrObserver?: Observer<Shown> | ((snapshot: Shown) => void),
    error?: (error: unknown) => void,
    complete?: () => void,
  ): Subscription {
    const observer = toObserver(nextOrObserver, error, complete);
    const { onError } = this.#port;
    const end = callGuarded(() => observer.complete?.(), onError);
    if (!this.#port.isLive(this.token, this)) {
      end();
      return { unsubscribe: () => {} };
    }
    const next = callGuarded((snapshot: Shown) => observer.next?.(snapshot), onError);
    return super.subscribe({ next, complete: end });
  }
}
