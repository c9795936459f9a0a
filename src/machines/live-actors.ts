import type { AnyMachineSnapshot, EventObject, InspectionEvent, Observer, Subscription } from "xstate";
import type { Applied } from "./kernel/kernel.ts";
import type { LeadSnapshot, SessionSnapshot, TeamSnapshot } from "./kernel/state.ts";
import type { LiveActor, LivePort } from "./live-actor.ts";
import { createLiveDelivery, type LiveCause } from "./live-delivery.ts";
import { LiveRoster } from "./live-roster.ts";
import type { LiveSource } from "./live-source.ts";
import { createLiveSystem } from "./live-system.ts";

/** The actors of one session, live. */
export interface LiveActors {
  /**
   * The actor of this token, made now unless it is there; undefined when the session has no such actor. From then on it
   * is kept up to date until its team is replaced. A member that was shut down still answers.
   */
  get(token: "session"): LiveActor<SessionSnapshot> | undefined;
  get(token: "lead"): LiveActor<LeadSnapshot> | undefined;
  get(token: `team-${number}`): LiveActor<TeamSnapshot> | undefined;
  get(token: string): LiveActor | undefined;
  /** Shows what one event made of one actor. Nothing for an actor that nobody has asked for. */
  update(token: string, snapshot: AnyMachineSnapshot, cause: LiveCause): void;
  /**
   * Shows an applied input, with its posts. To be called after each one, also when nobody watches: it notices that members
   * came or went. An actor that got several events shows its settled snapshot with the last; none between is kept.
   */
  follow(applied: Pick<Applied, "steps">): void;
  /**
   * Sees the life of all actors as XState's inspectors do (actor, event with its source, microstep, snapshot). Makes every
   * actor there is, up to `liveActorsMax`, and those that join later.
   */
  inspect(observer: Observer<InspectionEvent> | ((event: InspectionEvent) => void)): Subscription;
  /** How many were made and have not ended. */
  count(): number;
  /** Ends them all: subscribers complete. */
  close(): void;
}

/** What live actors are made of. */
export interface LiveActorsOptions {
  /** The session's name: the id of the XState system's root. */
  readonly session: string;
  readonly source: LiveSource;
  /** Appends an event that somebody sent to an actor to its mailbox, as the user's command. */
  readonly send: (token: string, event: EventObject) => void;
  /** Told of what a subscriber or observer threw. Must not throw. */
  readonly onError: (error: unknown) => void;
  /** How many an inspection makes; `get` makes more. */
  readonly liveActorsMax: number;
}

/**
 * Makes the session's actors live in one XState system, each named by its display name (`Lead`, `Team`, `session`, a
 * member's). They are made on demand, by `get` or by an inspection: one costs 3 us (10 us in a cold process) and 1.4 KB,
 * which a team of thousands that nobody looks at must not pay.
 */
export function createLiveActors(options: LiveActorsOptions): LiveActors {
  const { session, source, onError, send, liveActorsMax } = options;
  const actors = new Map<string, LiveActor>();
  const port: LivePort = { send, onError, isLive: (token, actor) => actors.get(token) === actor };
  const live = createLiveSystem({
    session,
    onError,
    present: () => actors.values(),
    onWatched: () => {
      roster.sync();
      roster.makeAll();
    },
  });
  const delivery = createLiveDelivery(port, live);
  const roster = new LiveRoster({ actors, source, port, live, delivery, liveActorsMax });
  const show = (actor: LiveActor, snapshot: AnyMachineSnapshot, cause: LiveCause): void =>
    delivery.deliver({ ...cause, actor, snapshot }, actors.get(cause.from ?? ""));

  return {
    get(token: string) {
      roster.sync();
      // The overloads pair tokens with machines, and the kernel keeps to that.
      return (actors.get(token) ?? roster.make(token)) as never;
    },
    update(token, snapshot, cause) {
      roster.sync();
      const actor = roster.shown(token);
      if (actor !== undefined) show(actor, snapshot, cause);
    },
    follow({ steps }) {
      roster.sync();
      if (actors.size === 0 && !live.isWatched()) return;
      const lastOf = new Map<LiveActor, (typeof steps)[number]>();
      for (const step of steps) {
        const actor = roster.shown(step.actor);
        if (actor !== undefined) lastOf.set(actor, step);
      }
      if (lastOf.size === 0) return;
      for (const step of steps) {
        const actor = actors.get(step.actor);
        if (actor === undefined) continue;
        const settled = lastOf.get(actor) === step ? source.read(step.actor)?.snapshot : undefined;
        show(actor, settled ?? actor.getSnapshot(), step);
      }
    },
    inspect: (observer) => live.inspect(observer),
    count: () => actors.size,
    close() {
      roster.close();
      live.close();
    },
  };
}
