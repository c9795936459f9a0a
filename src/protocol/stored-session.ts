import { z } from "zod";
import { MailKind, MailState } from "./mail.ts";
import { NoticeKind } from "./notice.ts";

/** A session as its owner stores it, so that the next one need not fold its whole log. */

const count = z.int().min(0);
const counts = z.array(z.tuple([z.string(), count]));

/** What runs have journalled: conversations by the sequences of their records, so that each is stored once. */
const StoredJournals = z.strictObject({
  conversations: z.array(z.strictObject({ actor: z.string(), attempt: count, seqs: z.array(count) })),
  positions: counts,
  prompted: counts,
  answered: counts,
  steps: z.array(z.tuple([z.string(), z.array(z.string())])),
  fallbacks: z.array(z.tuple([z.string(), z.string()])),
  leftExplore: counts,
  origins: z.array(z.tuple([z.string(), z.array(z.array(z.string()))])),
});
/** What runs have journalled, as it is stored. */
export type StoredJournals = z.infer<typeof StoredJournals>;

const time = z.number().nullable();

/** What became of each piece of mail that is still shown. */
const StoredMail = z.strictObject({
  count,
  acknowledged: count,
  entries: z.array(
    z.strictObject({
      n: count,
      id: z.string(),
      box: z.string(),
      digest: z.string().nullable(),
      isReplaced: z.boolean(),
      handle: z.string().nullable(),
      from: z.string(),
      to: z.string(),
      kind: MailKind,
      notice: NoticeKind.nullable(),
      about: z.string().nullable(),
      broadcast: z.boolean(),
      state: MailState,
      storedAt: z.number(),
      deliveredAt: time,
      acknowledgedAt: time,
      endedAt: time,
      reason: z.string().nullable(),
      bytes: count,
    }),
  ),
});
/** The mail log, as it is stored. */
export type StoredMail = z.infer<typeof StoredMail>;

/** Mail that a function has read in a turn that is not over. */
const StoredTaken = z.strictObject({
  token: z.string(),
  mail: z.array(
    z.strictObject({
      id: z.string(),
      handle: z.string(),
      from: z.string(),
      kind: MailKind,
      digest: z.string().nullable(),
      notice: NoticeKind.nullable(),
      about: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
/** Mail that a function has read in a turn that is not over, as it is stored. */
export type StoredTaken = z.infer<typeof StoredTaken>;

/** The text of an answer to a call that has no end yet. */
const StoredAnswer = z.strictObject({ actor: z.string(), call: z.string(), text: z.string() });
/** The text of an answer to a call that has no end yet, as it is stored. */
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** The value of a session's checkpoint. */
export const StoredSession = z.strictObject({
  format: z.literal("teamchart-session"),
  version: z.literal(1),
  namespace: z.string(),
  session: z.string(),
  /** Hash of each machine that folded it: another one may fold the same log to another state. */
  machines: z.record(z.string(), z.string()),
  /** The kernel's own checkpoint; read by the kernel. */
  kernel: z.unknown(),
  /** Bodies that the state refers to: the digest, and the record that has it. */
  bodies: z.array(z.tuple([z.string(), count])),
  journals: StoredJournals,
  mail: StoredMail,
  taken: z.array(StoredTaken),
  questions: z.array(z.strictObject({ id: z.string(), question: z.string(), choices: z.array(z.string()) })),
  answers: z.array(StoredAnswer),
});
export type StoredSession = z.infer<typeof StoredSession>;
