import type { HistoryOptions } from "../../actors/history/session-history.ts";
import type { Redactor } from "../../actors/recording/redactor.ts";
import type { Session } from "../../actors/session/session.ts";
import type { TeamSystem } from "../../actors/system/team-system-port.ts";
import { createKernel } from "../../machines/index.ts";
import { LiveSession } from "./live-session.ts";
import type { SessionDirectory } from "./session-source.ts";
import { StoredSessions } from "./stored-sessions.ts";

/** How sessions of a system are watched. */
export interface LiveDirectoryOptions extends Required<Omit<HistoryOptions, "redactor">> {
  readonly redactor: Redactor;
  /** Closed sessions that may still be looked at, the latest ones. */
  readonly closedSessionsMax: number;
  /** Told of stored sessions that can't be shown. */
  readonly onFault: (fault: unknown) => void;
  /** Told of each session when it is seen first. */
  readonly onSession: (session: LiveSession) => void;
}

/**
 * The sessions of a system: those that it has, those to come, for a while those that were closed, and those that a durable
 * bus has stored. Of the last ones nothing is read before somebody asks.
 */
export class LiveDirectory implements SessionDirectory {
  readonly #system: TeamSystem;
  readonly #options: LiveDirectoryOptions;
  readonly #facts = createKernel().steppers.facts;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #stored: StoredSessions;
  readonly #unwatch: () => void;

  constructor(system: TeamSystem, options: LiveDirectoryOptions) {
    this.#system = system;
    this.#options = options;
    this.#stored = new StoredSessions(system, { liveOf: (session) => this.#liveOf(session), onFault: options.onFault });
    this.#unwatch = system.watch((session) => this.#add(session));
  }

  get bus(): string {
    return this.#system.bus;
  }

  open(): readonly LiveSession[] {
    return [...this.#sessions.values()];
  }

  async list(): Promise<readonly LiveSession[]> {
    return [...this.open(), ...(await this.#stored.list((id) => this.#sessions.has(id)))];
  }

  async find(id: string): Promise<LiveSession | undefined> {
    return this.#sessions.get(id) ?? (await this.#stored.find(id));
  }

  health() {
    return this.#system.health();
  }

  close(): void {
    this.#unwatch();
    this.#stored.close();
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }

  #add(session: Session): void {
    // One that was closed may be opened again under its name.
    this.#sessions.get(session.id)?.close();
    this.#sessions.delete(session.id);
    this.#stored.forget(session.id);
    const live = this.#liveOf(session);
    this.#sessions.set(session.id, live);
    session.records$.subscribe({ complete: () => this.#dropOldest() });
    this.#options.onSession(live);
  }

  #liveOf(session: Session): LiveSession {
    return new LiveSession(session, { ...this.#options, facts: this.#facts });
  }

  #dropOldest(): void {
    const closed = this.open().filter(({ isClosed }) => isClosed);
    for (const live of closed.slice(0, Math.max(0, closed.length - this.#options.closedSessionsMax))) {
      this.#sessions.delete(live.id);
      live.close();
    }
  }
}
