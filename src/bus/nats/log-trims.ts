import { shardOf } from "../../protocol/subject.ts";
import { sessionKeyText, type SessionKey } from "../bus.ts";
import type { KeyStore } from "./key-store.ts";
import type { Link } from "./link.ts";
import { LogReader } from "./log-reader.ts";
import { canPurgePart } from "./server-facts.ts";
import { filterOf, streamOf, type Layout } from "./subjects.ts";

const giveUpMs = 10_000;
/** Deletions of single messages that are under way at once. */
const deletesMax = 100;

/** Drops what is stored, and keeps where each session's log starts. */
export class LogTrims {
  readonly #link: Link;
  readonly #layout: Layout;
  readonly #starts: KeyStore;
  readonly #reader: LogReader;

  constructor({ link, layout, starts }: { readonly link: Link; readonly layout: Layout; readonly starts: KeyStore }) {
    this.#link = link;
    this.#layout = layout;
    this.#starts = starts;
    this.#reader = new LogReader(link, layout);
  }

  /** Where a session's log starts; 0 when nothing of it was trimmed. */
  async startOf(session: SessionKey): Promise<number> {
    const start = await this.#starts.get(sessionKeyText(session));
    return start === null ? 0 : Number(start.text);
  }

  /**
   * Drops a session's inputs below `beforeSeq`; Infinity = all of them, and where it starts. Resolves with how many there
   * were. Where it starts is told before anything is dropped, so that a reader in between is refused or misses nothing.
   */
  async trim(session: SessionKey, beforeSeq: number): Promise<number> {
    const stream = streamOf(shardOf(session.session, this.#layout.shards));
    const filter = filterOf(session, this.#layout);
    const key = sessionKeyText(session);
    const isAll = beforeSeq === Infinity;
    const hasInputs = (await this.#reader.first(session)) !== null;
    let dropped = 0;
    if (hasInputs) {
      const { state } = await this.#link.ask(() => this.#link.manager.streams.info(stream), { ms: giveUpMs });
      const first = Math.min(beforeSeq, state.last_seq + 1);
      const start = await this.startOf(session);
      if (!isAll && first > start) await this.#starts.put(key, String(first));
      if (first > Math.max(1, start)) dropped = await this.#drop({ session, stream, filter, first });
    }
    if (isAll) await this.#starts.remove(key);
    return dropped;
  }

  async #drop(what: { session: SessionKey; stream: string; filter: string; first: number }): Promise<number> {
    const { session, stream, filter, first } = what;
    const { streams } = this.#link.manager;
    if (canPurgePart(this.#link.facts)) {
      const { purged } = await this.#link.ask(() => streams.purge(stream, { filter, seq: first }), { ms: giveUpMs });
      return purged;
    }
    let dropped = 0;
    for (;;) {
      const page = await this.#reader.read(session, { fromSeq: 1, toSeq: first - 1, max: deletesMax });
      const deletions = page.map(({ seq }) => this.#delete(stream, seq));
      await Promise.all(deletions);
      dropped += page.length;
      if (page.length < deletesMax) return dropped;
    }
  }

  #delete(stream: string, seq: number): Promise<boolean> {
    const isGone = (fault: unknown): boolean =>
      fault instanceof Error && /no message found|not found/i.test(fault.message);
    return this.#link.ask(
      async () => {
        try {
          return await this.#link.manager.streams.deleteMessage(stream, seq, false);
        } catch (fault) {
          if (isGone(fault)) return true;
          throw fault;
        }
      },
      { ms: giveUpMs },
    );
  }
}
