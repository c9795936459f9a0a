import { mailHandle, mailKindOf } from "../../protocol/mail.ts";
import { LEAD } from "../../protocol/names.ts";
import { escapeBody, frame } from "./frame-text.ts";
import { noticeSentence } from "./notice-sentence.ts";
import type { ReadableMail } from "./readable-mail.ts";

/** How far a reader may trust mail: by who sent it, never by what it says. */
export type MailTrust = "user" | "lead" | "peer" | "system";

const minuteMs = 60_000;

const trustOf = ({ from }: ReadableMail): MailTrust => {
  if (from === "user" || from === "system") return from;
  return from === LEAD ? "lead" : "peer";
};

const oneOfMany: ReadonlySet<string> = new Set(["dead_letter", "permission_requested", "permission_to_answer"]);

/**
 * Notices with the same key tell of the same thing, and the newest says all. Which message is dead, and which permission
 * is asked for, is in the reason: two of those are two things.
 */
function foldKey({ notice, about, reason }: ReadableMail): string | null {
  if (notice === null || notice === "user_said") return null;
  const isOneOfMany = oneOfMany.has(notice);
  return JSON.stringify([notice, about, isOneOfMany ? reason : null]);
}

/** The mail without the notices that a newer one replaces, and how many each one stands for. */
function foldNotices(mails: readonly ReadableMail[]): { readonly mail: ReadableMail; readonly count: number }[] {
  const counts = new Map<string, number>();
  const folded: { mail: ReadableMail; count: number }[] = [];
  for (const mail of mails.toReversed()) {
    const key = foldKey(mail);
    const newer = key === null ? 0 : (counts.get(key) ?? 0);
    if (key !== null) counts.set(key, newer + 1);
    if (newer === 0) folded.push({ mail, count: 1 });
  }
  return folded.toReversed().map(({ mail }) => ({ mail, count: counts.get(foldKey(mail) ?? "") ?? 1 }));
}

function formatOne(mail: ReadableMail, count: number, now: number): string {
  const { from, notice, about, reason, broadcast, at, text } = mail;
  const minutes = Math.floor((now - at) / minuteMs);
  const attributes = {
    from,
    kind: mailKindOf(mail),
    trust: trustOf(mail),
    notice: notice === "user_said" ? null : notice,
    mail: notice === null ? mailHandle(mail) : null,
    to: broadcast ? "broadcast" : null,
    times: count > 1 ? count : null,
    age: minutes >= 1 ? `${minutes} min` : null,
  };
  const sentence = notice === null ? "" : escapeBody(noticeSentence(notice, about));
  // The reason may be in the words of a tool, a provider or a member: it stays apart from what the system says.
  const why = reason === null ? "" : frame("reason", { trust: "peer" }, escapeBody(reason));
  const content = [sentence, why, escapeBody(text)].filter((part) => part !== "").join(" ");
  return frame("teammate-message", attributes, content);
}

/**
 * Mail as the one user message of a batch: a frame for each, in their order, with sender, kind and trust set from the
 * session and everything escaped, so that no text can end its frame or begin another. Notices about the same thing are
 * folded into the newest (`times` says how many there were). `now` dates the ages: give the time at which the batch is
 * journalled, so that the text can be made again.
 */
export function formatMail(mails: readonly ReadableMail[], { now }: { readonly now: number }): string {
  const folded = foldNotices(mails);
  const lines = folded.map(({ mail, count }) => formatOne(mail, count, now));
  return frame("team-messages", { count: folded.length }, `\n${lines.join("\n")}\n`);
}
