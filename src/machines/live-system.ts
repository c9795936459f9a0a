import {
  createActor,
  toObserver,
  type ActorLogic,
  type ActorScope,
  type AnyActorRef,
  type EventObject,
  type InspectionEvent,
  type Observer,
  type Snapshot,
  type Subscription,
} from "xstate";
import { callGuarded } from "../protocol/call-guarded.ts";
import type { LiveActor } from "./live-actor.ts";

type Watcher = Observer<InspectionEvent>;

/** What XState's own logics use of the system they run in and its types leave out. */
interface SystemInternals {
  _relay(source: AnyActorRef | undefined, target: AnyActorRef, event: EventObject): void;
  _sendInspectionEvent(event: Readonly<Record<string, unknown>>): void;
}

/** The XState system of one session. */
export interface LiveSystem {
  /** Parent of all: they can't be stopped by whoever holds one. */
  readonly root: AnyActorRef;
  inspect(observer: Watcher | ((event: InspectionEvent) => void)): Subscription;
  /** Whether anybody inspects. */
  isWatched(): boolean;
  /** Delivers an event with its sender, so that inspection sees both. */
  relay(source: AnyActorRef | undefined, target: AnyActorRef, event: EventObject): void;
  /** Tells observers which transitions an event took. */
  showTransitions(step: {
    readonly actorRef: AnyActorRef;
    readonly event: EventObject;
    readonly snapshot: Snapshot<unknown>;
    readonly transitions: readonly unknown[];
  }): void;
  stopChild(child: AnyActorRef): void;
  close(): void;
}

/**
 * Starts the system of a session: an empty root actor named after it. `inspect` is made safe, also for who finds it by
 * `actor.system`: an observer that throws is reported, a late one is told who is there, and `onWatched` makes the others.
 */
export function createLiveSystem(options: {
  readonly session: string;
  readonly onError: (error: unknown) => void;
  /** The actors that are there already. */
  readonly present: () => Iterable<LiveActor>;
  readonly onWatched: () => void;
}): LiveSystem {
  const { session, onError, present, onWatched } = options;
  const { root, scope } = startRoot(session);
  const { system } = root;
  const watchers = new Set<Watcher>();
  // The two methods are not in XState's types; its own logics call them in the same way.
  const internals = system as unknown as SystemInternals;
  const plainInspect = system.inspect;

  system.inspect = (observerOrFunction) => {
    const observer = toObserver(observerOrFunction);
    const watcher = { next: callGuarded((event: InspectionEvent) => observer.next?.(event), onError) };
    const { sessionId: rootId } = root;
    const announce = (actorRef: AnyActorRef, snapshot: Snapshot<unknown>): void => {
      watcher.next({ type: "@xstate.actor", actorRef, rootId });
      watcher.next({ type: "@xstate.snapshot", actorRef, rootId, event: { type: "xstate.init" }, snapshot });
    };
    announce(root, root.getSnapshot());
    for (const actor of present()) announce(actor, actor.getSnapshot());
    const subscription = plainInspect(watcher);
    watchers.add(watcher);
    onWatched();
    return {
      unsubscribe: () => {
        watchers.delete(watcher);
        subscription.unsubscribe();
      },
    };
  };

  return {
    root,
    inspect: (observer) => system.inspect(observer),
    isWatched: () => watchers.size > 0,
    relay: (source, target, event) => internals._relay(source, target, event),
    showTransitions: ({ actorRef, event, snapshot, transitions }) =>
      internals._sendInspectionEvent({
        type: "@xstate.microstep",
        actorRef,
        event,
        snapshot,
        _transitions: transitions,
      }),
    stopChild: (child) => scope.stopChild(child),
    close: () => {
      root.stop();
    },
  };
}

type RootScope = ActorScope<Snapshot<undefined>, EventObject>;

function startRoot(session: string) {
  let scope: RootScope | undefined;
  const still: Snapshot<undefined> = { status: "active", output: undefined, error: undefined };
  const logic: ActorLogic<Snapshot<undefined>, EventObject> = {
    config: { id: session },
    transition: (snapshot) => snapshot,
    getInitialSnapshot: () => still,
    getPersistedSnapshot: (snapshot) => snapshot,
    start: (_snapshot, own) => {
      scope = own;
    },
  };
  const root = createActor(logic, { id: session }).start();
  if (scope === undefined) throw new Error("XState did not start the root of a session's actors");
  return { root, scope };
}
