import type { MsgHdrs } from "@nats-io/nats-core";
import { readAnswer } from "./answer.ts";
import type { Link } from "./link.ts";
import { isConflict } from "./nats-fault.ts";
import { keyOfToken, keyToken } from "./subjects.ts";

/** How long a store bears a server that is away. */
const giveUpMs = 10_000;

/** A name of any characters, or several in a row. */
export type Key = string | readonly string[];

/** A value as it is stored. */
export interface StoredValue {
  readonly text: string;
  /** Grows with every change of any key, so that none comes twice. */
  readonly revision: number;
  /** When it was stored, by the clock of the server. */
  readonly at: Date;
}

/**
 * Values by key in a bucket, as `nats kv` shows them: replaced by compare-and-set on the revision. What is removed leaves
 * nothing behind but the revisions that were used.
 */
export class KeyStore {
  readonly #link: Link;
  readonly #stream: string;
  readonly #root: string;

  /** Several stores may share a bucket, each with its own `prefix`. */
  constructor(link: Link, { bucket, prefix }: { readonly bucket: string; readonly prefix: string }) {
    this.#link = link;
    this.#stream = `KV_${bucket}`;
    this.#root = `$KV.${bucket}.${prefix}`;
  }

  async get(key: Key, ms: number = giveUpMs): Promise<StoredValue | null> {
    const query = { last_by_subj: this.#subject(key) };
    const found = await this.#link.ask(() => this.#link.manager.streams.getMessage(this.#stream, query), { ms });
    if (found === null || isTombstone(found.header)) return null;
    return { text: new TextDecoder().decode(found.data), revision: found.seq, at: found.time };
  }

  /** Stores a value whatever was there; resolves with its revision. */
  async put(key: Key, text: string): Promise<number> {
    return this.#link.ask(async () => readAnswer(await this.#link.publish(this.#subject(key), bytes(text))).seq, {
      ms: giveUpMs,
    });
  }

  /**
   * Stores a value when the revision is still `expected` (0 = there is none); null when it isn't. `text` must be of its
   * kind alone: when an answer is lost, finding it stored is how its writer knows that it was.
   */
  async replace(key: Key, text: string, expected: number, ms: number = giveUpMs): Promise<number | null> {
    const publish = async (): Promise<number> =>
      readAnswer(await this.#link.publish(this.#subject(key), bytes(text), { expected })).seq;
    try {
      return await this.#link.ask(publish, { ms, isAnswer: isConflict });
    } catch (fault) {
      if (!isConflict(fault)) throw fault;
    }
    const stored = await this.get(key, ms);
    return stored?.text === text ? stored.revision : null;
  }

  /** Removes a value, if there is one; how many there were. */
  async remove(key: Key): Promise<number> {
    const filter = this.#subject(key);
    const purge = () => this.#link.manager.streams.purge(this.#stream, { filter });
    return (await this.#link.ask(purge, { ms: giveUpMs })).purged;
  }

  /** All keys of so many parts that match; null stands for any part. */
  async keys(pattern: readonly (string | null)[]): Promise<readonly (readonly string[])[]> {
    const tokens = pattern.map((part) => (part === null ? "*" : keyToken(part)));
    const filter = `${this.#root}.${tokens.join(".")}`;
    const asked = () => this.#link.manager.streams.info(this.#stream, { subjects_filter: filter });
    const { state } = await this.#link.ask(asked, { ms: giveUpMs });
    return Object.keys(state.subjects ?? {}).map((subject) =>
      subject
        .slice(this.#root.length + 1)
        .split(".")
        .map(keyOfToken),
    );
  }

  #subject(key: Key): string {
    const parts = typeof key === "string" ? [key] : key;
    return `${this.#root}.${parts.map(keyToken).join(".")}`;
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Somebody else's tool marks what it deletes. */
const isTombstone = (set: MsgHdrs | undefined): boolean => ["DEL", "PURGE"].includes(set?.get("KV-Operation") ?? "");
