import type { NoticeKind } from "../../protocol/notice.ts";
import type { LeadRecord, Mail } from "./state.ts";

/** Each of these is told on its own: what is lost, what failed, and what somebody said. */
const each: ReadonlySet<NoticeKind> = new Set(["member_failed", "dead_letter", "user_said"]);

/**
 * What a Lead has unread once this notice has come. It stays bounded while nothing is read: of news that says how somebody
 * stands the latest is enough, and beyond `deadLettersMax` dead letters the latest says how many it stands for.
 */
export function keepNotice(
  lead: LeadRecord,
  mail: Mail,
  deadLettersMax: number,
): Pick<LeadRecord, "unread" | "deadLettersLeftOut"> {
  const { unread, deadLettersLeftOut } = lead;
  if (mail.notice === null) return { unread: [...unread, mail], deadLettersLeftOut };
  if (!each.has(mail.notice)) {
    const others = unread.filter((other) => other.notice !== mail.notice || other.about !== mail.about);
    return { unread: [...others, mail], deadLettersLeftOut };
  }
  if (mail.notice !== "dead_letter") return { unread: [...unread, mail], deadLettersLeftOut };
  const dead = unread.filter((other) => other.notice === "dead_letter");
  if (dead.length < deadLettersMax) return { unread: [...unread, mail], deadLettersLeftOut };
  const leftOut = deadLettersLeftOut + 1;
  const latest = dead.at(-1);
  const told = { ...mail, reason: `${mail.reason ?? ""} (and ${leftOut} more that are not listed)` };
  return { unread: [...unread.filter((other) => other !== latest), told], deadLettersLeftOut: leftOut };
}
