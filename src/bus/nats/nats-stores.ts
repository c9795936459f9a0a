import { sessionKeyText, type Bus, type SessionKey } from "../bus.ts";
import type { OpenGate } from "../open-gate.ts";
import { Chunks } from "./chunks.ts";
import type { KeyStore } from "./key-store.ts";

/** What stores are made of. */
export interface StoreParts {
  readonly values: KeyStore;
  /** Parts of values that are too large for one message. */
  readonly parts: KeyStore;
  readonly gate: OpenGate;
}

/** Checkpoints by key. Revisions are counted over all keys, so that one of before a delete never fits what came after. */
export class NatsCheckpoints {
  readonly #values: KeyStore;
  readonly #chunks: Chunks;
  readonly #gate: OpenGate;

  constructor({ values, parts, gate }: StoreParts) {
    this.#values = values;
    this.#chunks = new Chunks(parts);
    this.#gate = gate;
  }

  readonly port: Bus["checkpoints"] = {
    get: async (key) => {
      this.#gate.requireOpen();
      for (;;) {
        const stored = await this.#values.get(key);
        if (stored === null) return null;
        const value = await this.#chunks.read(stored.text);
        if (value !== undefined) return { value, revision: stored.revision };
        // It was replaced while its parts were read, and these went with it; or they are gone for good.
        const now = await this.#values.get(key);
        if (now?.revision === stored.revision) return null;
      }
    },
    put: async (key, value, expected) => {
      this.#gate.requireOpen();
      const before = await this.#values.get(key);
      if ((before?.revision ?? 0) !== expected) return null;
      const text = await this.#chunks.write(value);
      const revision = await this.#values.replace(key, text, expected);
      // Whoever loses takes its parts along, and the winner those of the one before.
      const old = revision === null ? text : before?.text;
      if (old !== undefined) await this.#chunks.remove(old);
      return revision;
    },
    delete: async (key) => {
      this.#gate.requireOpen();
      await this.remove(key);
    },
  };

  /** Removes one; how many there were. */
  async remove(key: string): Promise<number> {
    const before = await this.#values.get(key);
    if (before === null) return 0;
    await this.#values.remove(key);
    await this.#chunks.remove(before.text);
    return 1;
  }
}

/** Bodies by digest. Who holds one is a key beside it, made of both names. */
export class NatsBlobs {
  readonly #values: KeyStore;
  readonly #holders: KeyStore;
  readonly #chunks: Chunks;
  readonly #gate: OpenGate;

  constructor({ values, parts, gate, holders }: StoreParts & { readonly holders: KeyStore }) {
    this.#values = values;
    this.#holders = holders;
    this.#chunks = new Chunks(parts);
    this.#gate = gate;
  }

  readonly port: Bus["blobs"] = {
    get: async (digest) => {
      this.#gate.requireOpen();
      const stored = await this.#values.get(digest);
      return stored === null ? null : ((await this.#chunks.read(stored.text)) ?? null);
    },
    put: async (digest, value, holder) => {
      this.#gate.requireOpen();
      // Held first: whoever purges another session meanwhile sees it.
      if (holder !== undefined) await this.#holders.put([digest, sessionKeyText(holder)], "");
      if ((await this.#values.get(digest)) !== null) return;
      const text = await this.#chunks.write(value);
      if ((await this.#values.replace(digest, text, 0)) === null) await this.#chunks.remove(text);
    },
    delete: async (digest) => {
      this.#gate.requireOpen();
      await this.#remove(digest);
      const holders = await this.#holders.keys([digest, null]);
      await Promise.all(holders.map((key) => this.#holders.remove(key)));
    },
  };

  /** Removes the bodies that only this session holds; how many there were. */
  async purge(session: SessionKey): Promise<number> {
    let removed = 0;
    for (const key of await this.#holders.keys([null, sessionKeyText(session)])) {
      const [digest = ""] = key;
      await this.#holders.remove(key);
      const others = await this.#holders.keys([digest, null]);
      if (others.length === 0) removed += await this.#remove(digest);
    }
    return removed;
  }

  async #remove(digest: string): Promise<number> {
    const before = await this.#values.get(digest);
    if (before === null) return 0;
    await this.#values.remove(digest);
    await this.#chunks.remove(before.text);
    return 1;
  }
}
