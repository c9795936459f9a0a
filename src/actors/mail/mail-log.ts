import { refusal, TeamError, type Refusal } from "../../errors/index.ts";
import type { Applied, Mail, MailFact } from "../../machines/index.ts";
import type { Input } from "../../protocol/input.ts";
import type { StoredMail } from "../../protocol/stored-session.ts";
import type { TakenMailItem } from "./taken-mail.ts";
import { mailHandle, mailKindOf, type MailPage, type MailState, type MailStatus } from "../../protocol/mail.ts";

/** Which mail is asked for. Tokens, where a caller gives names. */
export interface MailQuery {
  /** Token of the mailbox; left out = all. */
  readonly box?: string | undefined;
  /** Display name of the sender. */
  readonly from?: string | undefined;
  readonly state?: MailState | undefined;
  readonly handle?: string | undefined;
  readonly limit: number;
  readonly before?: number | undefined;
}

/** What a mail log needs of its session. */
export interface MailLogOptions {
  readonly nameOf: (token: string) => string;
  /** Token of the mailbox that a recipient's name stands for. */
  readonly boxOf: (to: string) => string;
  /** The content of a digest, if it is still there. */
  readonly bodyOf: (digest: string) => unknown;
}

/** Mail of one mailbox, looked up by its handles. */
export interface ResolvedMail {
  readonly ids: readonly string[];
  /** The handles of `ids`. */
  readonly fresh: readonly string[];
  /** Handles of mail that was acknowledged before. */
  readonly already: readonly string[];
}

type Entry = { -readonly [Key in keyof Omit<MailStatus, "content">]: MailStatus[Key] } & {
  readonly n: number;
  readonly id: string;
  readonly box: string;
  readonly digest: string | null;
  /** A newer notice has taken its place. */
  isReplaced: boolean;
};

/** Whether mail is still to be read. */
const isOpen = ({ state, isReplaced }: Pick<Entry, "state" | "isReplaced">): boolean =>
  state === "accepted" && !isReplaced;

/** Pieces of mail that are kept beside the unread ones. */
const keptMax = 2_000;
/** Bytes of read mail whose content is kept: of the newest. */
const contentBytesMax = 4 * 1024 * 1024;

/**
 * What became of each piece of mail, and when: a fold of what the kernel says of mail. Stored, delivered and acknowledged are
 * three facts, and none stands for another. The newest are kept, and all that is unread.
 */
export class MailLog {
  readonly #options: MailLogOptions;
  readonly #byId = new Map<string, Entry>();
  #entries: Entry[] = [];
  #count = 0;
  /** Entries that are not open: only of these the old ones are forgotten. */
  #settled = 0;
  #acknowledged = 0;

  constructor(options: MailLogOptions) {
    this.#options = options;
  }

  /** How many pieces of mail were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Takes in an applied input. */
  record(input: Input, { mail }: Pick<Applied, "mail">): void {
    for (const fact of mail) this.#take(fact, input);
    if (this.#settled > keptMax * 1.25) this.#forgetOld();
  }

  /** One page of what fits, the newest first. */
  list({ box, from, state, handle, limit, before = Infinity }: MailQuery): MailPage {
    const fits = this.#entries.filter(
      (entry) =>
        !entry.isReplaced &&
        (box === undefined || entry.box === box) &&
        (from === undefined || entry.from === from) &&
        (state === undefined || entry.state === state) &&
        (handle === undefined || entry.handle === handle),
    );
    const older = fits.filter(({ n }) => n < before);
    const page = older.slice(Math.max(0, older.length - limit)).toReversed();
    const last = page.at(-1);
    const next = last === undefined || older.length <= page.length ? null : String(last.n);
    return { mail: page.map((entry) => this.#statusOf(entry)), total: fits.length, next };
  }

  /**
   * The ids of a mailbox's mail by its handles: those that are to be acknowledged, and the handles of those that were. Throws
   * for one that is not there, or was not delivered.
   */
  resolve(box: string, handles: readonly string[]): ResolvedMail {
    const ids: string[] = [];
    const fresh: string[] = [];
    const already: string[] = [];
    const unread: string[] = [];
    const problems: Refusal[] = [];
    for (const handle of new Set(handles)) {
      const entry = this.#entries.findLast((each) => each.box === box && each.handle === handle && !each.isReplaced);
      if (entry?.state === "delivered") {
        ids.push(entry.id);
        fresh.push(handle);
      } else if (entry?.state === "acknowledged") already.push(handle);
      else if (entry?.state === "accepted") unread.push(handle);
      else problems.push(refusal("unknown_mail", { mail: handle.slice(0, 40), of: this.#options.nameOf(box) }));
    }
    if (unread.length > 0) problems.push(refusal("mail_unread", { mail: unread }));
    if (problems.length > 0) throw TeamError.from(problems);
    return { ids, fresh, already };
  }

  /** What is known of a piece of mail, to be read again; null for one that was forgotten. */
  find(mailId: string): TakenMailItem | null {
    const entry = this.#byId.get(mailId);
    if (entry === undefined) return null;
    const { id, handle, from, kind, digest, notice, about, reason } = entry;
    return { id, handle: handle ?? "", from, kind, digest, notice, about, reason };
  }

  /** Digests of the contents that are kept for whoever looks at mail that was read. */
  *contents(): Iterable<string> {
    let bytes = 0;
    for (const { digest, bytes: own } of this.#entries.toReversed()) {
      bytes += own;
      if (bytes > contentBytesMax) return;
      if (digest !== null) yield digest;
    }
  }

  /** Another team has taken the place of the one before: the mailboxes of those who are gone, and old news, are forgotten. */
  forget(isGone: (box: string) => boolean): void {
    this.#keep(({ box, notice, state }) => !isGone(box) && (notice === null || state === "accepted"));
  }

  /** What is to be stored of it. */
  toCheckpoint(): StoredMail {
    return {
      count: this.#count,
      acknowledged: this.#acknowledged,
      entries: this.#entries.map((entry) => ({ ...entry })),
    };
  }

  /** Takes back what was stored. */
  restore({ count, acknowledged, entries }: StoredMail): void {
    this.#count = count;
    this.#acknowledged = acknowledged;
    for (const entry of entries) this.#add({ ...entry });
  }

  #take(fact: MailFact, input: Input): void {
    const { at } = input;
    switch (fact.type) {
      case "accepted": {
        const { mail, to } = fact;
        const n = ++this.#count;
        this.#add({ n, box: to, to: this.#options.nameOf(to), ...acceptedFields(mail) });
        return;
      }
      case "refused":
        this.#add({ n: ++this.#count, handle: null, ...this.#refusedFields(fact, input) });
        return;
      case "replaced":
        this.#settle(fact, (entry) => (entry.isReplaced = true));
        return;
      case "delivered":
        this.#settle(fact, (entry) => Object.assign(entry, { state: "delivered", deliveredAt: at }));
        return;
      case "acknowledged":
        this.#move(fact, "delivered", (entry) => {
          Object.assign(entry, { state: "acknowledged", acknowledgedAt: at });
          this.#acknowledged += 1;
        });
        return;
      case "dead_lettered": {
        const { reason } = fact;
        this.#settle(fact, (entry) => Object.assign(entry, { state: "dead_lettered", endedAt: at, reason }));
      }
    }
  }

  /** Moves mail that was to be read: nobody is to read it any more. */
  #settle(fact: { readonly to: string; readonly ids: readonly string[] }, move: (entry: Entry) => void): void {
    this.#move(fact, "accepted", (entry) => {
      if (isOpen(entry)) this.#settled += 1;
      move(entry);
    });
  }

  /** Moves the mail of one mailbox, and only from the state before: what is said of another's changes nothing. */
  #move({ to, ids }: { to: string; ids: readonly string[] }, from: MailState, move: (entry: Entry) => void): void {
    for (const id of ids) {
      const entry = this.#byId.get(id);
      if (entry?.box === to && entry.state === from) move(entry);
    }
  }

  #add(entry: Entry): void {
    this.#byId.set(entry.id, entry);
    this.#entries.push(entry);
    if (!isOpen(entry)) this.#settled += 1;
  }

  #refusedFields(fact: Extract<MailFact, { type: "refused" }>, { id, at, body }: Input) {
    const { nameOf, boxOf } = this.#options;
    return {
      id,
      box: boxOf(fact.to),
      from: nameOf(fact.from),
      to: fact.to,
      kind: fact.kind,
      bytes: fact.bytes,
      notice: null,
      about: null,
      broadcast: false,
      isReplaced: false,
      reason: fact.code,
      storedAt: at,
      deliveredAt: null,
      acknowledgedAt: null,
      endedAt: at,
      state: "refused" as const,
      digest: body?.digest ?? null,
    };
  }

  #forgetOld(): void {
    let left = this.#settled - keptMax;
    this.#keep((entry) => isOpen(entry) || left-- <= 0);
  }

  #keep(keeps: (entry: Entry) => boolean): void {
    const kept: Entry[] = [];
    for (const entry of this.#entries) {
      if (keeps(entry)) kept.push(entry);
      else {
        this.#byId.delete(entry.id);
        if (!isOpen(entry)) this.#settled -= 1;
      }
    }
    this.#entries = kept;
  }

  #statusOf({ n: _n, id: _id, box: _box, digest, isReplaced: _isReplaced, ...status }: Entry): MailStatus {
    const body = digest === null ? null : this.#options.bodyOf(digest);
    return { ...status, content: typeof body === "string" ? body : null };
  }
}

const acceptedFields = (mail: Mail) => ({
  handle: mailHandle(mail),
  id: mail.id,
  from: mail.from,
  kind: mailKindOf(mail),
  notice: mail.notice,
  about: mail.about,
  broadcast: mail.broadcast,
  bytes: mail.bytes,
  digest: mail.body?.digest ?? null,
  isReplaced: false,
  storedAt: mail.at,
  deliveredAt: null,
  acknowledgedAt: null,
  endedAt: null,
  state: "accepted" as const,
  reason: mail.reason,
});
