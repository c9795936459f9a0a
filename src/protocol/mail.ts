import { z } from "zod";
import type { NoticeKind } from "./notice.ts";

/**
 * What a piece of mail is. Members mint `text` alone, the Lead and the user `instruction` too; everything else is the
 * system's. A text that looks like one of these is a text.
 */
export const MailKind = z.enum([
  "text",
  "instruction",
  "schedule",
  "tool_result",
  "task_assignment",
  "idle_notice",
  "shutdown_request",
  "shutdown_reply",
  "permission_request",
  "permission_reply",
  "plan_request",
  "plan_reply",
  "system",
]);
/** What a piece of mail is. */
export type MailKind = z.infer<typeof MailKind>;

const kinds: Partial<Record<NoticeKind, MailKind>> = {
  member_idle: "idle_notice",
  shutdown_requested: "shutdown_request",
  shutdown_refused: "shutdown_reply",
  permission_requested: "permission_request",
  permission_to_answer: "permission_request",
  plan_requested: "plan_request",
  task_assigned: "task_assignment",
};

/** The kind of a piece of mail as its reader sees it: what a notice of the system tells has a kind of its own. */
export const mailKindOf = ({
  kind,
  notice,
}: {
  readonly kind: "text" | "instruction" | "schedule" | "tool_result" | "system";
  readonly notice: NoticeKind | null;
}): MailKind => (notice === null ? kind : (kinds[notice] ?? "system"));

/** What names a piece of mail within its mailbox. */
export const mailHandle = ({ number }: { readonly number: number }): string => `m${number}`;

/**
 * How far a piece of mail has come. `accepted`: stored, and unread. `delivered`: it stands in a step of its reader that is
 * journalled. `acknowledged`: its reader said that it has dealt with it. `dead_lettered`: its reader will never read it.
 * `refused`: it was never mail.
 */
export const MailState = z.enum(["accepted", "delivered", "acknowledged", "dead_lettered", "refused"]);
/** How far a piece of mail has come. */
export type MailState = z.infer<typeof MailState>;

/** One piece of mail with what became of it. Times are ms of the wall clock of the input that made it so. */
export interface MailStatus {
  /** Names it within its mailbox: `m1` is the first that came. Null for a refused one: it never came. */
  readonly handle: string | null;
  /** Display names; `to` of a refused one is as its sender wrote it. */
  readonly from: string;
  readonly to: string;
  readonly kind: MailKind;
  /** What a notice of the system tells, or null. */
  readonly notice: NoticeKind | null;
  /** For a notice: the member it speaks of. */
  readonly about: string | null;
  /** Whether it is a copy of a broadcast. */
  readonly broadcast: boolean;
  readonly state: MailState;
  readonly storedAt: number;
  readonly deliveredAt: number | null;
  readonly acknowledgedAt: number | null;
  /** When it was dead-lettered or refused. */
  readonly endedAt: number | null;
  /** Why it was refused (an error code) or dead-lettered, or what a notice says. */
  readonly reason: string | null;
  /** Of the content, in UTF-8. */
  readonly bytes: number;
  /** What it says; null when it is no longer kept: then it stands in the recording. */
  readonly content: string | null;
}

/** Mail, the newest first. */
export interface MailPage {
  readonly mail: readonly MailStatus[];
  /** Pieces of mail that fit the question, on this page and all others. */
  readonly total: number;
  /** Give it as `before` to see older ones; null when there are none. */
  readonly next: string | null;
}

/** What became of acknowledging. */
export interface AcknowledgeResult {
  readonly acknowledged: readonly string[];
  /** Those that were acknowledged before: the first time stands. */
  readonly already: readonly string[];
}
