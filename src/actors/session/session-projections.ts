import { displayName, memberByName, type MemberRecord, type SessionState } from "../../machines/index.ts";
import { canonicalRecipient, LEAD } from "../../protocol/names.ts";
import type { BodyStore } from "../owner/body-store.ts";
import { Journals } from "../model-run/journals.ts";
import { MailLog } from "../mail/mail-log.ts";
import type { AppliedRecord } from "../owner/owner.ts";
import type { Questions } from "./questions.ts";
import type { FoundSession } from "../owner/stored-sessions.ts";
import { TakenMail } from "../mail/taken-mail.ts";

/** The conversation of a persistent member or the lead is one; a oneshot member starts anew with each attempt. */
export const attemptOf = (member: MemberRecord | undefined): number =>
  member === undefined || member.lifetime === "persistent" ? 0 : member.snapshot.context.attempt;

/** Token of the mailbox that a recipient's name stands for; names that are nobody go to the team, which answers. */
export function mailboxOf(state: SessionState, to: string): string {
  if (canonicalRecipient(to) === LEAD) return "lead";
  return memberByName(state, to)?.token ?? state.team?.token ?? "session";
}

/** What a session's projections are folded from. */
export interface ProjectionOptions {
  readonly state: SessionState;
  readonly bodies: BodyStore;
  readonly questions: Questions;
  /** What was stored of them, to be folded on; null = they begin here. */
  readonly found: Pick<FoundSession, "journals" | "mail" | "taken"> | null;
}

/**
 * What a host knows of a session beside its state: conversations, what became of mail, questions. All of it is a fold of the
 * log, so that whoever goes on with a session from a checkpoint and the rest of its log knows the same as whoever was there.
 */
export class SessionProjections {
  readonly journals: Journals;
  /** What became of each piece of mail. */
  readonly mail: MailLog;
  /** What functions have read in turns that are not over. */
  readonly taken = new TakenMail();
  readonly #state: SessionState;
  readonly #questions: Questions;
  #team: string | null;

  constructor({ state, bodies, questions, found }: ProjectionOptions) {
    this.#state = state;
    this.#questions = questions;
    this.#team = state.team?.token ?? null;
    this.journals = found?.journals ?? new Journals();
    this.mail = new MailLog({
      nameOf: (token) => displayName(state, (each) => state.members.get(each), token),
      boxOf: (to) => mailboxOf(state, to),
      bodyOf: (digest) => bodies.get(digest),
    });
    if (found?.mail !== undefined) this.mail.restore(found.mail);
    this.taken.restore(found?.taken ?? []);
  }

  /** Takes in an applied input; true when a new team has taken the place of the one before. */
  record({ stored, applied }: Pick<AppliedRecord, "stored" | "applied">): boolean {
    const { input, body } = stored;
    this.journals.record(input, body, applied, attemptOf(this.#state.members.get(input.actor)));
    this.#questions.record(input, body, applied);
    if (applied.mail.length > 0) this.mail.record(input, applied);
    this.taken.record({ input, body, applied }, this.#state, (id) => this.mail.find(id));
    for (const token of applied.changed) {
      // Nobody goes on with it.
      if (this.#state.members.get(token)?.snapshot.value.presence === "shutdown") this.journals.dropConversation(token);
    }
    return this.#hasNewTeam();
  }

  /** A new team takes the place of the old one: whoever belonged to that is gone. */
  #hasNewTeam(): boolean {
    const { team, members } = this.#state;
    const token = team?.token ?? null;
    if (token === this.#team) return false;
    this.#team = token;
    this.journals.keepOnly(members);
    this.mail.forget((box) => /-t\d+$/.test(box) && !members.has(box));
    return true;
  }
}
