import { callGuarded } from "../../protocol/call-guarded.ts";
import type { Session } from "../session/session.ts";

/** The sessions that a system has, and who is told of them. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #watchers = new Set<(session: Session) => void>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  list(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
    for (const watcher of this.#watchers) watcher(session);
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  /** Tells of every session that there is and of every one that comes, until what it returns is called. */
  watch(onSession: (session: Session) => void): () => void {
    const watcher = callGuarded(onSession, this.#onFault);
    this.#watchers.add(watcher);
    for (const session of this.list()) watcher(session);
    return () => void this.#watchers.delete(watcher);
  }
}
