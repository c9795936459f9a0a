import type { Subscriber } from "rxjs";
import type { SessionKey, Stored } from "./bus.ts";

/** One observer of a session's log. */
export interface Follower {
  readonly subscriber: Subscriber<Stored>;
  readonly key: SessionKey;
  readonly actor: string | null;
  /** What is stored below was delivered already, or isn't wanted: the seam between stored and live. */
  nextSeq: number;
  /** Whether it has had everything that was stored when it came, and is told what comes. */
  isLive: boolean;
}

/** Who follows which session. The arrays are replaced, never changed: observers come and go while one is walked. */
export class LogFollowers {
  readonly #namespaces = new Map<string, Map<string, readonly Follower[]>>();

  get isEmpty(): boolean {
    return this.#namespaces.size === 0;
  }

  of({ namespace, session }: SessionKey): readonly Follower[] {
    return this.#namespaces.get(namespace)?.get(session) ?? [];
  }

  add(follower: Follower): void {
    const { namespace, session } = follower.key;
    const sessions = this.#namespaces.get(namespace) ?? new Map<string, readonly Follower[]>();
    this.#namespaces.set(namespace, sessions);
    sessions.set(session, [...(sessions.get(session) ?? []), follower]);
  }

  remove(follower: Follower): void {
    const { namespace, session } = follower.key;
    const sessions = this.#namespaces.get(namespace);
    if (sessions === undefined) return;
    const left = this.of(follower.key).filter((each) => each !== follower);
    if (left.length > 0) sessions.set(session, left);
    else sessions.delete(session);
    if (sessions.size === 0) this.#namespaces.delete(namespace);
  }

  /** Hands a record to everybody who follows its session and is live. */
  deliver(stored: Stored): void {
    for (const follower of this.of(stored.subject)) if (follower.isLive) offer(follower, stored);
  }

  /** Everybody, whom nobody tells anything any more. */
  clear(): readonly Follower[] {
    const all = [...this.#namespaces.values()].flatMap((sessions) => [...sessions.values()].flat());
    this.#namespaces.clear();
    return all;
  }
}

/** Gives a follower a record, once and in its mailbox only. */
export function offer(follower: Follower, stored: Stored): void {
  if (stored.seq < follower.nextSeq) return;
  follower.nextSeq = stored.seq + 1;
  if (follower.actor === null || follower.actor === stored.subject.actor) follower.subscriber.next(stored);
}
