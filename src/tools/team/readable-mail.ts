import type { NoticeKind } from "../../protocol/notice.ts";

/** One piece of unread mail with its body, as the session's owner hands it to a run. */
export interface ReadableMail {
  /** Display name of the sender, set by the session: a member's name, `Lead`, `user` or `system`. */
  readonly from: string;
  readonly kind: "text" | "instruction" | "schedule" | "tool_result" | "system";
  /** Its number in its mailbox. */
  readonly number: number;
  readonly notice: NoticeKind | null;
  /** For a notice: the name of the member it speaks of. */
  readonly about: string | null;
  /** For a notice: why, often in the words of a tool or provider. */
  readonly reason: string | null;
  readonly broadcast: boolean;
  /** `at` of the cause, ms. */
  readonly at: number;
  /** The body; "" for a notice without one. */
  readonly text: string;
}
