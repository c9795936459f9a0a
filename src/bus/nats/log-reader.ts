import { nameToken } from "../../protocol/names.ts";
import { shardOf } from "../../protocol/subject.ts";
import type { Bus, SessionKey, Stored, SubjectFilter } from "../bus.ts";
import type { Link } from "./link.ts";
import { decodeRecord } from "./log-record.ts";
import { Pull } from "./pull.ts";
import { filterOf, parseSubject, shardFilter, streamOf, streamsOf, type Layout } from "./subjects.ts";

/** How long a read bears a server that is away. */
const giveUpMs = 10_000;

/** Reads what is stored. */
export class LogReader {
  readonly #link: Link;
  readonly #layout: Layout;

  constructor(link: Link, layout: Layout) {
    this.#link = link;
    this.#layout = layout;
  }

  /** Stored inputs of a session or a mailbox; what is missing of them is not looked at here. */
  async read(filter: SubjectFilter, range: Parameters<Bus["read"]>[1]): Promise<readonly Stored[]> {
    const { toSeq = Infinity, max = Infinity } = range;
    const subjects = filterOf(filter, this.#layout);
    const stream = streamOf(shardOf(filter.session, this.#layout.shards));
    const records: Stored[] = [];
    if (max < 1 || toSeq < range.fromSeq) return records;
    const until = performance.now() + giveUpMs;
    for (let fromSeq = Math.max(1, range.fromSeq); ;) {
      const messagesMax = Math.min(max - records.length, toSeq - fromSeq + 1);
      const part = new ReadPart(this.#link, { stream, filter: subjects, toSeq, messagesMax });
      const { isWhole, lastSeq } = await part.read(fromSeq, (stored) => records.push(stored));
      fromSeq = Math.max(fromSeq, lastSeq + 1);
      if (isWhole || records.length >= max || fromSeq > toSeq) return records;
      if (performance.now() > until) throw this.#link.fault(new Error("what is stored could not be read to its end"));
    }
  }

  /** Names of the sessions of a namespace, the oldest first. */
  async sessions(namespace: string): Promise<readonly string[]> {
    const filter = shardFilter(namespace, "*");
    const found = new Map<string, SessionKey>();
    for (const { name } of streamsOf(this.#layout)) {
      const asked = () => this.#link.manager.streams.info(name, { subjects_filter: filter });
      const { state } = await this.#link.ask(asked, { ms: giveUpMs });
      for (const subject of Object.keys(state.subjects ?? {})) {
        const key = parseSubject(subject);
        if (key !== null) found.set(nameToken(key.session), key);
      }
    }
    const firsts = await Promise.all(
      Array.from(found.values(), async (key) => ({ name: key.session, seq: (await this.first(key)) ?? 0 })),
    );
    return firsts.toSorted((one, other) => one.seq - other.seq).map(({ name }) => name);
  }

  /** The sequence of the first stored input of a session; null when there is none. */
  async first(session: SessionKey): Promise<number | null> {
    const stream = streamOf(shardOf(session.session, this.#layout.shards));
    const query = { seq: 1, next_by_subj: filterOf(session, this.#layout) };
    const found = await this.#link.ask(() => this.#link.manager.streams.getMessage(stream, query), { ms: giveUpMs });
    return found?.seq ?? null;
  }
}

interface PartOptions {
  readonly stream: string;
  readonly filter: string;
  readonly toSeq: number;
  readonly messagesMax: number;
}

/** One consumer's worth of a read. */
class ReadPart {
  readonly #link: Link;
  readonly #options: PartOptions;

  constructor(link: Link, options: PartOptions) {
    this.#link = link;
    this.#options = options;
  }

  /** Reads until the end, the bound, or a break; in the last case it is not whole. */
  async read(
    fromSeq: number,
    onStored: (stored: Stored) => void,
  ): Promise<{ readonly isWhole: boolean; readonly lastSeq: number }> {
    const { stream, filter, toSeq, messagesMax } = this.#options;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let lastSeq = fromSeq - 1;
    let left = Infinity;
    const unwatch = this.#link.watch({ onDown: () => resolve(false), onUp: () => {} });
    const onMessage = (delivered: { subject: string; seq: number; data: Uint8Array }): void => {
      if (left <= 0) return;
      lastSeq = delivered.seq;
      left -= 1;
      const stored = delivered.seq > toSeq ? null : decodeRecord(delivered);
      if (stored !== null) onStored(stored);
      if (delivered.seq >= toSeq) left = 0;
      if (left === 0) resolve(true);
    };
    const options = { stream, filter, fromSeq, messagesMax, checksGaps: true, onMessage, onLost: () => resolve(false) };
    try {
      const { pull, pending } = await this.#link.ask(() => Pull.open(this.#link, options), { ms: giveUpMs });
      left = Math.min(pending, messagesMax);
      if (pull === null || !(await this.#isEnded(promise, pull))) return { isWhole: pull === null, lastSeq };
      return { isWhole: true, lastSeq };
    } finally {
      unwatch();
    }
  }

  async #isEnded(ended: Promise<boolean>, pull: Pull): Promise<boolean> {
    try {
      return await ended;
    } finally {
      pull.close();
    }
  }
}
