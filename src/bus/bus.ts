import type { Observable } from "rxjs";
import type { Input } from "../protocol/input.ts";
import type { Subject } from "../protocol/subject.ts";

/** An input on its way to the log. */
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

/** What to follow or read: one session, or one mailbox of it. */
export interface SubjectFilter {
  readonly namespace: string;
  readonly session: string;
  readonly actor?: string;
}

/** A lease on a shard of sessions. `epoch` grows with every claim of the same key. */
export interface Claim {
  readonly key: string;
  readonly owner: string;
  readonly epoch: number;
}

/** A checkpoint, replaced by compare-and-set on its revision. */
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
   * Resolves with the sequence once the input is stored. The same id again stores nothing and resolves with the first
   * sequence. Inputs of one caller are stored in the order of the calls. Rejects with `bus_unavailable` when closed.
   */
  append(append: Append): Promise<number>;
  /** Stored inputs from `fromSeq` on in stream order, first the stored ones, then live; completes when the bus closes. */
  follow(filter: SubjectFilter, fromSeq: number): Observable<Stored>;
  /** Stored inputs in `[fromSeq, toSeq]`, at most `max`. `log_trimmed` when the log starts later than `fromSeq`. */
  read(
    filter: SubjectFilter,
    range: { readonly fromSeq: number; readonly toSeq?: number; readonly max?: number },
  ): Promise<readonly Stored[]>;
  /** Drops a session's inputs below `beforeSeq`, with their ids. */
  trim(filter: SubjectFilter, beforeSeq: number): Promise<void>;
  readonly claims: {
    /** Takes or renews the lease; null while somebody else holds it. */
    claim(key: string, owner: string, leaseMs: number): Promise<Claim | null>;
    release(claim: Claim): Promise<void>;
  };
  readonly checkpoints: {
    get(key: string): Promise<Checkpoint | null>;
    /** Stores when the revision is still `expected` (0 = none yet); resolves with the new one, or null when it isn't. */
    put(key: string, value: unknown, expected: number): Promise<number | null>;
    delete(key: string): Promise<void>;
  };
  readonly blobs: {
    /** Stores a body by its content; the same content twice is stored once. */
    put(digest: string, value: unknown): Promise<void>;
    get(digest: string): Promise<unknown>;
    delete(digest: string): Promise<void>;
  };
  readonly signals: {
    publish(signal: Signal): void;
    follow(topic: string): Observable<Signal>;
  };
  /** Ends every follow and lets go of everything. */
  close(): Promise<void>;
}
