import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { callGuarded } from "../protocol/call-guarded.ts";
import { LiveActor, type LiveLogic, type LivePort } from "./live-actor.ts";
import type { LiveSystem } from "./live-system.ts";
import { stateNodesOf, transitionsFrom } from "./state-nodes.ts";

/** Why an actor's snapshot is another one now. */
export interface LiveCause {
  readonly event: EventObject;
  /** Token of the actor that posted it, or `user` or `system`. */
  readonly from?: string;
  /** Ids of the transitions taken, as a step reports them. */
  readonly transitions?: readonly string[];
}

/** What one event made of one actor. */
export interface LiveUpdate extends LiveCause {
  readonly actor: LiveActor;
  readonly snapshot: AnyMachineSnapshot;
}

/** The way of updates into their actors. */
export interface LiveDelivery {
  /** The logic of the actors that show snapshots of this machine. */
  logicOf(machine: AnyStateMachine): LiveLogic;
  /** Shows an update, through XState's mailbox: order holds within callbacks too, and inspection sees the event. */
  deliver(update: LiveUpdate, sender: LiveActor | undefined): void;
  /** Drops what is on its way to an actor, as its mailbox does when it is stopped. */
  forget(actor: LiveActor): void;
}

/** Makes the way of a session's updates into its live actors. */
export function createLiveDelivery(port: LivePort, live: LiveSystem): LiveDelivery {
  const pending: LiveUpdate[] = [];
  const logics = new Map<AnyStateMachine, LiveLogic>();
  const send = callGuarded(port.send, port.onError);

  const take = (actor: unknown, event: EventObject): LiveUpdate | undefined => {
    const index = pending.findIndex((each) => each.event === event && each.actor === actor);
    return index === -1 ? undefined : pending.splice(index, 1)[0];
  };
  const createLogic = (machine: AnyStateMachine): LiveLogic => {
    let nodes: ReadonlyMap<string, unknown> | undefined;
    const transitionsOf = (ids: readonly string[] = []): unknown[] => {
      nodes ??= new Map(
        stateNodesOf(machine).flatMap((state) => transitionsFrom(state).map((each) => [each.id, each.node])),
      );
      return ids.map((id) => nodes?.get(id)).filter((node) => node !== undefined);
    };
    return {
      config: machine.config,
      getInitialSnapshot: (scope) => machine.getInitialSnapshot(scope, undefined),
      getPersistedSnapshot: (snapshot) => machine.getPersistedSnapshot(snapshot),
      transition(snapshot, event, scope) {
        const update = take(scope.self, event);
        if (update === undefined) {
          // Another actor's `sendTo` comes this way instead of by `send`; XState's own events concern nobody.
          const target: unknown = scope.self;
          if (target instanceof LiveActor && !event.type.startsWith("xstate.")) send(target.token, event);
          return snapshot;
        }
        if (live.isWatched()) {
          const transitions = transitionsOf(update.transitions);
          live.showTransitions({ actorRef: update.actor, event, snapshot: update.snapshot, transitions });
        }
        return update.snapshot;
      },
    };
  };
  return {
    logicOf(machine) {
      const logic = logics.get(machine) ?? createLogic(machine);
      logics.set(machine, logic);
      return logic;
    },
    forget(actor) {
      const kept = pending.filter((each) => each.actor !== actor);
      pending.splice(0, pending.length, ...kept);
    },
    deliver(update, sender) {
      pending.push(update);
      live.relay(sender, update.actor, update.event);
    },
  };
}
