import type { MemberRecord, SessionState } from "./state.ts";

/** A type whose values may be changed in place. */
export type Open<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * One input's change of the members, made in the session itself with what it takes to undo it. A record is copied before
 * it is changed, once; the copy is nobody else's before the input is committed.
 */
export class RosterDraft {
  readonly #session: Open<SessionState>;
  readonly #changed: Set<string>;
  readonly #members: SessionState["members"];
  readonly #unmet: SessionState["unmet"];
  /** Members of the roster there was, as they were before; undefined = added by this draft. */
  readonly #before = new Map<string, MemberRecord | undefined>();
  readonly #unmetBefore: [index: number, count: number][] = [];
  /** Who was looked up last: nearly always the next one to be looked up. */
  #last: MemberRecord | undefined;

  /** Tokens of changed members are added to `changed`. */
  constructor(session: Open<SessionState>, changed: Set<string>) {
    this.#session = session;
    this.#changed = changed;
    this.#members = session.members;
    this.#unmet = session.unmet;
  }

  get(token: string): MemberRecord | undefined {
    const last = this.#last;
    if (last?.token === token) return last;
    return (this.#last = this.#session.members.get(token));
  }

  /** The member of this token, which the caller knows to exist. */
  must(token: string): MemberRecord {
    const member = this.get(token);
    if (member === undefined) throw new Error(`no member ${token}`);
    return member;
  }

  /** Sets a member's record, which from now on is this draft's to change. */
  put(member: MemberRecord): void {
    const { members } = this.#session;
    const { token } = member;
    if (!this.#owns(token)) this.#before.set(token, members.get(token));
    this.#changed.add(token);
    members.set(token, member);
    this.#last = member;
  }

  /** A member's record to be changed in place. */
  open(token: string): Open<MemberRecord> {
    const member = this.must(token);
    if (this.#owns(token)) return member;
    const own = { ...member };
    this.put(own);
    return own;
  }

  /** How many upstreams the member of this index still waits for. */
  unmet(index: number): number {
    return this.#session.unmet[index] ?? 0;
  }

  setUnmet(index: number, count: number): void {
    const { unmet } = this.#session;
    if (unmet === this.#unmet) this.#unmetBefore.push([index, unmet[index] ?? 0]);
    unmet[index] = count;
  }

  /** Makes room for the counts of so many members in all. */
  grow(members: number): void {
    const grown = new Int32Array(members);
    grown.set(this.#session.unmet);
    this.#session.unmet = grown;
  }

  /** Starts an empty roster for so many members: a new team takes the place of a dissolved one. */
  replace(count: number): void {
    this.#session.members = new Map();
    this.#session.unmet = new Int32Array(count);
    this.#last = undefined;
  }

  /** Puts everything back as it was. */
  discard(): void {
    this.#session.members = this.#members;
    this.#session.unmet = this.#unmet;
    this.#last = undefined;
    for (const [token, member] of this.#before) {
      if (member === undefined) this.#members.delete(token);
      else this.#members.set(token, member);
    }
    for (const [index, count] of this.#unmetBefore.toReversed()) this.#unmet[index] = count;
  }

  /** Whether a member's record was made by this draft: all of a new roster, and what it has copied. */
  #owns(token: string): boolean {
    return this.#session.members !== this.#members || this.#before.has(token);
  }
}
