import { createHash, hash } from "node:crypto";
import { TeamError } from "../../errors/index.ts";
import type { BodyRef } from "../../protocol/input.ts";

/** How large a body may be, and what it is called when it is larger. */
interface BodyBounds {
  readonly what?: string;
  readonly bytesMax?: number;
}

/** Canonical JSON: keys sorted, so that equal values have equal digests wherever they were made. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? "null";

/**
 * The value with the keys of every object in order; arrays without objects as they are. JSON.stringify writes that in
 * less than half the time that it needs with a replacer.
 */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.some(isObject) ? sortedList(value) : value;
  if ("toJSON" in value) return sorted(JSON.parse(JSON.stringify(value) ?? "null"));
  // Any object may be read by its own keys.
  return copyInOrder(value as Record<string, unknown>, Object.keys(value).toSorted());
}

function copyInOrder(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const inner = sorted(value[key]);
    // An assignment to `__proto__` would make no key of it.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: inner, enumerable: true });
    else copy[key] = inner;
  }
  return copy;
}

/** The elements of a list are mostly of one shape: their keys are put in order once. */
function sortedList(values: readonly unknown[]): unknown[] {
  let keys: readonly string[] = [];
  let order: readonly string[] = [];
  return values.map((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || "toJSON" in value) return sorted(value);
    const own = Object.keys(value);
    if (own.length !== keys.length || own.some((key, index) => key !== keys[index]))
      [keys, order] = [own, own.toSorted()];
    // As above.
    return copyInOrder(value as Record<string, unknown>, order);
  });
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** sha-256 of a text, in hex. */
export const digestOf = (text: string): string =>
  text.length < 1_000_000 ? hash("sha256", text) : createHash("sha256").update(text).digest("hex");

/**
 * The bodies that a session refers to, by digest. Bodies that nothing refers to any more are dropped when many have come
 * together, so a long session stays as small as what it still needs.
 */
export class BodyStore {
  readonly #bodies = new Map<string, unknown>();
  readonly #seqs = new Map<string, number>();
  #sweepAt = 1_000;

  /**
   * The reference of a value, which is held from now on. The value must be JSON; one of more than `bytesMax` bytes is
   * `payload_too_large`, called `what`, and not held.
   */
  hold(value: unknown, { what = "the body", bytesMax = Infinity }: BodyBounds = {}): BodyRef {
    const text = canonicalJson(value);
    const bytes = Buffer.byteLength(text);
    if (bytes > bytesMax) throw new TeamError("payload_too_large", { what, bytes, bytesMax });
    const digest = digestOf(text);
    this.#bodies.set(digest, value);
    return { digest, bytes };
  }

  /** Holds a body that came with its reference, in the record of this sequence. */
  keep(digest: string, value: unknown, seq?: number): void {
    this.#bodies.set(digest, value);
    if (seq !== undefined) this.#seqs.set(digest, seq);
  }

  get(digest: string): unknown {
    return this.#bodies.get(digest);
  }

  /** The record that a body came with; undefined while it has not come back from the log. */
  seqOf(digest: string): number | undefined {
    return this.#seqs.get(digest);
  }

  get size(): number {
    return this.#bodies.size;
  }

  /** Drops what `referenced` doesn't name, when enough has come together to make it worth the walk. */
  sweep(referenced: () => ReadonlySet<string>): void {
    if (this.#bodies.size < this.#sweepAt) return;
    const needed = referenced();
    for (const digest of this.#bodies.keys()) if (!needed.has(digest)) this.#bodies.delete(digest);
    for (const digest of this.#seqs.keys()) if (!this.#bodies.has(digest)) this.#seqs.delete(digest);
    this.#sweepAt = Math.max(1_000, this.#bodies.size * 2);
  }
}
