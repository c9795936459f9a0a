import type { Observable } from "rxjs";
import type { Input } from "../protocol/input.ts";
import type { Subject } from "../protocol/subject.ts";

/** An input on its way to the log. A bus may keep it as it is: whoever appends it must not change it afterwards. */
export interface Append {
  readonly subject: Subject;
  readonly input: Input;
  /** What belongs to the input by reference: JSON, at most `bodyBytesMax` bytes; larger ones go through `blobs`. */
  readonly body?: unknown;
}

/** An input as stored. */
export interface Stored extends Append {
  /** Place in the stream, from 1; grows, not always by one. */
  readonly seq: number;
}

/** One log: a session of a namespace. */
export interface SessionKey {
  readonly namespace: string;
  readonly session: string;
}

/** What a purge has removed. */
export interface Purged {
  /** Inputs of the log. */
  readonly inputs: number;
  readonly checkpoints: number;
  /** Bodies that no other session holds. */
  readonly bodies: number;
}

/** The key by which a session is claimed and under which it has its checkpoint. */
export const sessionKeyText = ({ namespace, session }: SessionKey): string => `${namespace}.session.${session}`;

/** What to follow or read: one session, or one mailbox of it. Names are compared as they are; none is a pattern. */
export interface SubjectFilter extends SessionKey {
  readonly actor?: string;
}

/**
 * A lease on a shard of sessions. Whoever takes a key gets a greater epoch than everybody before; renewing one's own
 * lease keeps it.
 */
export interface Claim {
  readonly key: string;
  readonly owner: string;
  readonly epoch: number;
}

/** A checkpoint, replaced by compare-and-set on its revision, which only grows. A value is not changed once it is put. */
export interface Checkpoint {
  readonly value: unknown;
  readonly revision: number;
}

/** Something ephemeral: a token stream, a reply, presence. Lost when nobody listens. */
export interface Signal {
  readonly topic: string;
  readonly value: unknown;
}

/**
 * What a session needs from a message bus: a durable log that keeps its order, and small helpers beside it.
 *
 * Every implementation passes `busContract` in test/bus/contract.ts. A bus knows no machine.
 */
export interface Bus {
  /** What survives: nothing, a killed process, or several machines. */
  readonly kind: "memory" | "sqlite" | "nats";
  /**
   * Resolves with the sequence once the input is stored. The same id of one session again stores nothing and resolves
   * with the first sequence, until that one is trimmed. Inputs of one caller are stored in the order of the calls.
   * Rejects with `bus_unavailable` when closed.
   */
  append(append: Append): Promise<number>;
  /**
   * Stored inputs from `fromSeq` on in stream order, first the stored ones, then live; completes when the bus closes.
   * Ends with the error `log_trimmed` when the log starts later than `fromSeq`, `bus_unavailable` when the bus was closed
   * before. An observer that throws misses nothing that comes after, and its fault stays with it: it is reported, never
   * thrown into the bus, another observer or the process.
   */
  follow(filter: SubjectFilter, fromSeq: number): Observable<Stored>;
  /** Stored inputs in `[fromSeq, toSeq]`, at most `max`. `log_trimmed` when the log starts later than `fromSeq`. */
  read(
    filter: SubjectFilter,
    range: { readonly fromSeq: number; readonly toSeq?: number; readonly max?: number },
  ): Promise<readonly Stored[]>;
  /**
   * Drops a session's inputs below `beforeSeq`, with their ids; the log starts at `beforeSeq` then, or behind its last
   * input. What was appended by calls before this one counts, what comes after is kept. `Infinity` drops the session:
   * nothing is left of it, as if it had never been, save that sequences go on growing.
   */
  trim(session: SessionKey, beforeSeq: number): Promise<void>;
  /** Names of the namespace's sessions that have a log, the oldest first; dropped ones are not among them. */
  sessions(namespace: string): Promise<readonly string[]>;
  /**
   * Forgets a session as if it had never been: its log, the claim and the checkpoint of its key (`sessionKeyText`), and the
   * bodies that no other session holds. Nothing of it can be read afterwards. That nobody has it open is for the caller to
   * know: a claim of its own goes as well. Resolves with what there was; all 0 for a session that there is not.
   */
  purge(session: SessionKey): Promise<Purged>;
  readonly claims: {
    /**
     * Takes or renews the lease; null while somebody else holds it. `owner` must be unique to the process, or two of
     * them share a lease.
     */
    claim(key: string, owner: string, leaseMs: number): Promise<Claim | null>;
    /** Gives the lease up; a claim that somebody else has taken since is left alone. */
    release(claim: Claim): Promise<void>;
    /** Who holds the key now, or null: nobody, or somebody whose lease has run out. */
    holder(key: string): Promise<Claim | null>;
  };
  readonly checkpoints: {
    get(key: string): Promise<Checkpoint | null>;
    /** Stores when the revision is still `expected` (0 = none yet); resolves with the new one, or null when it isn't. */
    put(key: string, value: unknown, expected: number): Promise<number | null>;
    delete(key: string): Promise<void>;
  };
  readonly blobs: {
    /**
     * Stores a body by its content; the same content twice is stored once. One that is held by sessions (`holder`) goes
     * with the last of them that is purged; one that nobody holds stays until it is deleted. The bus takes the digest as a name: whoever
     * follows a reference computes the digest of what it got, since that is where a forged body would do harm.
     */
    put(digest: string, value: unknown, holder?: SessionKey): Promise<void>;
    /** The body, or null when there is none. */
    get(digest: string): Promise<unknown>;
    delete(digest: string): Promise<void>;
  };
  readonly signals: {
    /** Lost when nobody follows the topic, or the bus is closed. */
    publish(signal: Signal): void;
    /** What is published on this topic from now on; completes when the bus closes. */
    follow(topic: string): Observable<Signal>;
  };
  /**
   * Stores what was appended before, completes every follow and lets go of everything; how much of what was appended
   * last is still delivered is up to the bus. Whatever is asked afterwards is refused with `bus_unavailable`. Closing
   * again waits for the same end.
   */
  close(): Promise<void>;
}
