import type { Subscriber } from "rxjs";
import { nameToken } from "../../protocol/names.ts";
import { shardOf } from "../../protocol/subject.ts";
import type { Stored, SubjectFilter } from "../bus.ts";
import { decodeRecord } from "./log-record.ts";
import type { Link } from "./link.ts";
import type { Delivered } from "./pull.ts";
import { ShardFeed, type Recovery } from "./shard-feed.ts";
import { shardFilter, streamOf, type Layout } from "./subjects.ts";

/** One observer of a session's log: what comes while it still reads what is stored waits for it. */
export class SessionFollower {
  readonly subscriber: Subscriber<Stored>;
  readonly filter: SubjectFilter;
  readonly fromSeq: number;
  /** What is below was given already, or isn't wanted: the seam between stored and live. */
  nextSeq: number;
  #early: Stored[] | null = [];

  constructor(subscriber: Subscriber<Stored>, filter: SubjectFilter, fromSeq: number) {
    this.subscriber = subscriber;
    this.filter = filter;
    this.fromSeq = fromSeq;
    this.nextSeq = fromSeq;
  }

  get isFollowing(): boolean {
    return !this.subscriber.closed;
  }

  /** Something of its session came. */
  take(stored: Stored): void {
    if (this.#early === null) this.offer(stored);
    else this.#early.push(stored);
  }

  /** Gives it an input, once and of its mailbox only. */
  offer(stored: Stored): void {
    if (stored.seq < this.nextSeq || this.subscriber.closed) return;
    this.nextSeq = stored.seq + 1;
    const { actor } = this.filter;
    if (actor === undefined || actor === stored.subject.actor) this.subscriber.next(stored);
  }

  /** It has what was stored. */
  goLive(): void {
    const early = this.#early ?? [];
    // What comes while these are given, as by whoever appends within a delivery, can't come within this call.
    this.#early = null;
    for (const stored of early) this.offer(stored);
  }
}

interface Shard {
  readonly feed: ShardFeed;
  /** By session; the arrays are replaced, never changed: observers come and go while one is walked. */
  readonly sessions: Map<string, readonly SessionFollower[]>;
}

/** Who follows which session: the followers of a shard of a namespace share one feed, for as long as there are any. */
export class ShardFollowers {
  readonly #link: Link;
  readonly #layout: Layout;
  readonly #recovery: Recovery;
  readonly #shards = new Map<string, Shard>();

  constructor(parts: { readonly link: Link; readonly layout: Layout; readonly recovery: Recovery }) {
    this.#link = parts.link;
    this.#layout = parts.layout;
    this.#recovery = parts.recovery;
  }

  /** Adds a follower; once `ready` it will be told of everything that is stored from then on. */
  join(follower: SessionFollower): { readonly ready: Promise<void>; readonly leave: () => void } {
    const { namespace, session } = follower.filter;
    const number = shardOf(session, this.#layout.shards);
    const name = `${number}.${nameToken(namespace)}`;
    const shard = this.#shards.get(name) ?? this.#open(name, { namespace, number });
    shard.sessions.set(session, [...(shard.sessions.get(session) ?? []), follower]);
    return { ready: shard.feed.ready, leave: () => this.#leave(name, shard, follower) };
  }

  /** Completes every follow. */
  close(): void {
    const shards = [...this.#shards.values()];
    this.#shards.clear();
    for (const { feed, sessions } of shards) {
      feed.stop();
      for (const follower of [...sessions.values()].flat()) follower.subscriber.complete();
    }
  }

  #open(name: string, { namespace, number }: { readonly namespace: string; readonly number: number }): Shard {
    const sessions: Shard["sessions"] = new Map();
    const feed = new ShardFeed(this.#link, {
      stream: streamOf(number),
      filter: shardFilter(namespace, number),
      recovery: this.#recovery,
      deliver: (delivered) => deliver(sessions, delivered),
      onEnd: (fault) => this.#fail(name, shard, fault),
    });
    const shard: Shard = { feed, sessions };
    this.#shards.set(name, shard);
    feed.ready.catch((fault: unknown) => this.#fail(name, shard, fault));
    return shard;
  }

  #leave(name: string, shard: Shard, follower: SessionFollower): void {
    const { session } = follower.filter;
    const left = (shard.sessions.get(session) ?? []).filter((each) => each !== follower);
    if (left.length > 0) shard.sessions.set(session, left);
    else shard.sessions.delete(session);
    if (shard.sessions.size > 0) return;
    shard.feed.stop();
    if (this.#shards.get(name) === shard) this.#shards.delete(name);
  }

  /** The feed of a shard can't go on: whoever follows is told, and may come again. */
  #fail(name: string, shard: Shard, fault: unknown): void {
    if (this.#shards.get(name) !== shard) return;
    this.#shards.delete(name);
    shard.feed.stop();
    const told = this.#link.fault(fault);
    for (const follower of [...shard.sessions.values()].flat()) follower.subscriber.error(told);
  }
}

function deliver(sessions: Shard["sessions"], delivered: Delivered): void {
  const stored = decodeRecord(delivered);
  if (stored === null) return;
  for (const follower of sessions.get(stored.subject.session) ?? []) follower.take(stored);
}
