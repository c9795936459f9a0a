import type { SessionKey } from "../bus.ts";
import { SessionLog } from "./session-log.ts";

/** The logs of all sessions, by namespace and session: any two names keep apart, whatever they contain. */
export class SessionLogs {
  readonly #namespaces = new Map<string, Map<string, SessionLog>>();

  find({ namespace, session }: SessionKey): SessionLog | undefined {
    return this.#namespaces.get(namespace)?.get(session);
  }

  /** The log, begun when there is none. */
  open({ namespace, session }: SessionKey): SessionLog {
    let sessions = this.#namespaces.get(namespace);
    if (sessions === undefined) {
      sessions = new Map<string, SessionLog>();
      this.#namespaces.set(namespace, sessions);
    }
    let log = sessions.get(session);
    if (log === undefined) {
      log = new SessionLog();
      sessions.set(session, log);
    }
    return log;
  }

  /** Names of the sessions of which something was stored. */
  namesOf(namespace: string): readonly string[] {
    const sessions = [...(this.#namespaces.get(namespace) ?? [])];
    return sessions.filter(([, log]) => log.hasBegun).map(([name]) => name);
  }

  /** Forgets the log if nothing is lost with it. */
  prune({ namespace, session }: SessionKey): void {
    const sessions = this.#namespaces.get(namespace);
    if (sessions?.get(session)?.isBlank !== true) return;
    sessions.delete(session);
    if (sessions.size === 0) this.#namespaces.delete(namespace);
  }

  /** Completes every follow and forgets everything. */
  close(): void {
    const logs = [...this.#namespaces.values()].flatMap((sessions) => [...sessions.values()]);
    this.#namespaces.clear();
    for (const log of logs) log.completeFollowers();
  }
}
