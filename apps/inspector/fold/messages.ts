import { displayName, type SessionState } from "teamchart/machines";
import type { BodyRef, MailKind } from "teamchart/protocol";
import type { Entry } from "./entry.ts";

/** One copy of a message: to one recipient. */
export interface Copy {
  /** Token of the recipient. */
  readonly token: string;
  readonly name: string;
  /** Sequence at which a run took it into its conversation; null while it is unread. */
  readonly readSeq: number | null;
  /** Sequence at which it became a dead letter. */
  readonly deadSeq: number | null;
}

/** A message, from its sending on. */
export interface Message {
  /** Place of its entry on the timeline. */
  readonly index: number;
  readonly seq: number;
  readonly at: number;
  readonly from: string;
  /** The recipient as it was written. */
  readonly to: string;
  /** `notice`: the session told the lead something. */
  readonly kind: MailKind | "notice";
  readonly text: string | null;
  readonly bytes: number;
  readonly body: BodyRef | null;
  /** Why it was not accepted, or null. */
  readonly refused: string | null;
  readonly copies: readonly Copy[];
}

type OpenMessage = Omit<Message, "copies"> & { readonly copies: OpenCopy[] };
type OpenCopy = { -readonly [Key in keyof Copy]: Copy[Key] };

/** The messages of a session: who sent what to whom, and what became of each copy. Grows with the timeline. */
export class Messages {
  #all: OpenMessage[] = [];
  /** Copies that are not read yet, by recipient and id of the mail. */
  readonly #unread = new Map<string, OpenCopy>();
  readonly #byToken = new Map<string, OpenMessage[]>();

  get all(): readonly Message[] {
    return this.#all;
  }

  /** Messages with a copy for this actor. */
  to(token: string): readonly Message[] {
    return this.#byToken.get(token) ?? [];
  }

  clear(): void {
    this.#all = [];
    this.#unread.clear();
    this.#byToken.clear();
  }

  append({ record, steps, verdict, why }: Entry, index: number, session: SessionState): void {
    const { event, from, at, body } = record.input;
    const nameOf = (token: string): string => displayName(session, (each) => session.members.get(each), token);
    let sent: OpenMessage | null = null;
    if (event.type === "message.send") {
      const refused = verdict === "handled" ? null : (why ?? verdict);
      sent = {
        index,
        seq: record.seq,
        at,
        from: nameOf(from),
        to: event.to,
        kind: event.kind,
        text: null,
        bytes: event.bytes,
        body: body ?? null,
        refused,
        copies: [],
      };
      this.#all.push(sent);
    }
    if (
      (event.type === "run.injected" || event.type === "lead.injected") &&
      verdict !== "stale" &&
      verdict !== "refused"
    )
      for (const id of event.mail) this.#read(record.input.actor, id, record.seq);
    for (const step of steps) {
      const told = step.event;
      if (told.type === "mail.arrived" && "id" in told) {
        const own = "kind" in told && told.kind === "system" ? null : sent;
        if (own !== null) this.#arrive(own, step.actor, nameOf(step.actor), String(told.id));
      } else if (told.type === "message.dead_lettered" && "id" in told) {
        const copy = this.#unread.get(`${step.actor} ${String(told.id)}`);
        if (copy !== undefined) copy.deadSeq = record.seq;
        this.#unread.delete(`${step.actor} ${String(told.id)}`);
      } else if (told.type.startsWith("notice.")) this.#notice({ record, told, about: nameOf(step.from), index });
    }
  }

  #notice({
    record,
    told,
    about,
    index,
  }: {
    record: Entry["record"];
    told: { readonly type: string };
    about: string;
    index: number;
  }): void {
    const reason = "reason" in told && typeof told.reason === "string" ? told.reason : null;
    const what = told.type.slice("notice.".length).replaceAll("_", " ");
    const message: OpenMessage = {
      index,
      seq: record.seq,
      at: record.input.at,
      // What is told of the team comes from it, whoever moved it.
      from: told.type.startsWith("notice.team_") ? "Team" : about,
      to: "Lead",
      kind: "notice",
      text: reason === null ? what : `${what}: ${reason}`,
      bytes: 0,
      body: null,
      refused: null,
      copies: [],
    };
    this.#all.push(message);
    this.#arrive(message, "lead", "Lead", "id" in told ? String(told.id) : "");
  }

  #arrive(message: OpenMessage, token: string, name: string, id: string): void {
    const copy: OpenCopy = { token, name, readSeq: null, deadSeq: null };
    message.copies.push(copy);
    this.#unread.set(`${token} ${id}`, copy);
    const own = this.#byToken.get(token);
    if (own === undefined) this.#byToken.set(token, [message]);
    else own.push(message);
  }

  #read(token: string, id: string, seq: number): void {
    const copy = this.#unread.get(`${token} ${id}`);
    if (copy === undefined) return;
    copy.readSeq = seq;
    this.#unread.delete(`${token} ${id}`);
  }
}
