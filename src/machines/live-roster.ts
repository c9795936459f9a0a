import { LiveActor, type LivePort } from "./live-actor.ts";
import type { LiveDelivery } from "./live-delivery.ts";
import type { LiveSource } from "./live-source.ts";
import type { LiveSystem } from "./live-system.ts";

/** What a roster works with. */
interface RosterOptions {
  /** By token; shared with those who only read it. */
  readonly actors: Map<string, LiveActor>;
  readonly source: LiveSource;
  readonly port: LivePort;
  readonly live: LiveSystem;
  readonly delivery: LiveDelivery;
  readonly liveActorsMax: number;
}

/** Keeps live actors in step with the session: makes them, and ends those whose team was replaced. */
export class LiveRoster {
  readonly #options: RosterOptions;
  readonly #leaving: LiveActor[] = [];
  #members: unknown;
  #isClosed = false;

  constructor(options: RosterOptions) {
    this.#options = options;
    this.#members = options.source.roster();
  }

  /** Notices who came and went; with an inspector those who joined are made. Costs nothing when nobody did. */
  sync(): void {
    if (this.#isClosed) return;
    const { actors, source, live } = this.#options;
    const now = source.roster();
    const hasChanged = now !== this.#members;
    this.#members = now;
    if (hasChanged) for (const [token, actor] of actors) if (source.read(token) === undefined) this.#end(token, actor);
    this.#stopLeaving();
    if (hasChanged && live.isWatched()) this.makeAll();
  }

  /** Makes the actor of this token; undefined when the session has none. */
  make(token: string): LiveActor | undefined {
    const { actors, source, port, live, delivery } = this.#options;
    const subject = this.#isClosed ? undefined : source.read(token);
    if (subject === undefined) return undefined;
    const { name, snapshot } = subject;
    const logic = delivery.logicOf(snapshot.machine);
    const actor = new LiveActor(port, token, logic, { id: name, systemId: name, parent: live.root, snapshot });
    actors.set(token, actor);
    actor.start();
    return actor;
  }

  /** Makes all that there are, up to the limit. */
  makeAll(): void {
    const { actors, source, liveActorsMax } = this.#options;
    for (const token of source.tokens()) {
      if (actors.size >= liveActorsMax) return;
      if (!actors.has(token)) this.make(token);
    }
  }

  /** The actor that an event is to be shown to, or undefined when nobody looks. */
  shown(token: string): LiveActor | undefined {
    const { actors, live, liveActorsMax } = this.#options;
    const actor = actors.get(token);
    if (actor !== undefined || !live.isWatched() || actors.size >= liveActorsMax) return actor;
    return this.make(token);
  }

  /** Ends everybody, and makes nobody any more. */
  close(): void {
    for (const [token, actor] of this.#options.actors) this.#end(token, actor);
    this.#isClosed = true;
    this.#stopLeaving();
  }

  #end(token: string, actor: LiveActor): void {
    this.#options.actors.delete(token);
    this.#leaving.push(actor);
  }

  /** Those who left must be gone before somebody of the same name is made, even within a subscriber's callback. */
  #stopLeaving(): void {
    const { delivery, live } = this.#options;
    for (let actor = this.#leaving.shift(); actor !== undefined; actor = this.#leaving.shift()) {
      delivery.forget(actor);
      live.stopChild(actor);
    }
  }
}
