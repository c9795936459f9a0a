import type { Applied, MemberRecord, SessionState } from "../../machines/index.ts";
import type { Input } from "../../protocol/input.ts";
import type { StoredTaken } from "../../protocol/stored-session.ts";

/** One piece of mail that a function has read, as it can be read again. */
export type TakenMailItem = StoredTaken["mail"][number];

const none: readonly never[] = [];

/** The reports that end a turn; a run that is lost has not ended its turn. */
const ends: ReadonlySet<string> = new Set(["turn.ended", "run.completed", "run.failed"]);

const isAtRest = (member: MemberRecord | undefined): boolean =>
  member === undefined || member.snapshot.value.run === "none";

/** Whether a function has read mail: what a model reads is in its journal, with the message that it got. */
const isOfFunction = (body: unknown): boolean => !(typeof body === "object" && body !== null && "text" in body);

/**
 * The mail that functions have read in turns that are not over, and not acknowledged: at most as much as a mailbox holds, the
 * latest. A model that is called again after its run was lost has its conversation; a function has nothing but what it is
 * given, so this is given to it again. A fold of the log.
 */
export class TakenMail {
  readonly #byToken = new Map<string, TakenMailItem[]>();

  /** Takes in an applied input; `find` gives what is known of a piece of mail. */
  record(
    { input, body, applied }: { readonly input: Input; readonly body: unknown; readonly applied: Applied },
    state: SessionState,
    find: (id: string) => TakenMailItem | null,
  ): void {
    const { actor, event } = input;
    if (applied.verdict === "handled" && event.type === "run.injected" && isOfFunction(body)) {
      this.#add(actor, event.mail, { find, max: state.config?.limits.unreadMessagesMax ?? 0 });
    }
    if (this.#byToken.size === 0) return;
    if (event.type === "mail.acknowledge") this.#drop(actor, event.mail);
    // The next turn may follow at once, with no rest between: what was read in this one is not its business.
    if (applied.verdict === "handled" && ends.has(event.type)) this.#byToken.delete(actor);
    for (const token of this.#byToken.keys()) if (isAtRest(state.members.get(token))) this.#byToken.delete(token);
  }

  /** What a member has read in its turn, in order. */
  of(token: string): readonly TakenMailItem[] {
    return this.#byToken.get(token) ?? none;
  }

  /** Digests of the contents that may be read again. */
  *digests(): Iterable<string> {
    for (const mail of this.#byToken.values()) for (const { digest } of mail) if (digest !== null) yield digest;
  }

  /** What is to be stored of it. */
  toCheckpoint(): StoredTaken[] {
    return [...this.#byToken].map(([token, mail]) => ({ token, mail: [...mail] }));
  }

  /** Takes back what was stored. */
  restore(stored: readonly StoredTaken[]): void {
    for (const { token, mail } of stored) this.#byToken.set(token, [...mail]);
  }

  #add(
    token: string,
    ids: readonly string[],
    { find, max }: { readonly find: (id: string) => TakenMailItem | null; readonly max: number },
  ): void {
    if (ids.length === 0) return;
    const mail = this.#byToken.get(token) ?? [];
    this.#byToken.set(token, mail);
    for (const id of ids) {
      const item = find(id);
      if (item !== null) mail.push(item);
    }
    if (mail.length > max) mail.splice(0, mail.length - max);
  }

  #drop(token: string, ids: readonly string[]): void {
    const mail = this.#byToken.get(token);
    if (mail === undefined) return;
    const kept = mail.filter(({ id }) => !ids.includes(id));
    if (kept.length > 0) this.#byToken.set(token, kept);
    else this.#byToken.delete(token);
  }
}
