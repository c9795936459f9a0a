import { z } from "zod";

/** What callers of a session give it. Checked at the door: inside, inputs of this process are trusted. */

/** A session's id: a short text without control characters. */
export const SessionId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "expected no control characters");

/** Something said to a hosted lead. */
export const PromptText = z.string().min(1);

/** A message. */
export const MessageInput = z.strictObject({
  to: z.string(),
  content: z.string().min(1),
  kind: z.enum(["text", "instruction"]).default("text"),
});

/** An answer to a permission request. Nothing but `true` approves. */
export const PermissionAnswerInput = z.strictObject({ approve: z.boolean(), note: z.string().max(600).optional() });

/** An answer to a plan. */
export const PlanAnswerInput = z.strictObject({ approve: z.boolean(), feedback: z.string().default("") });

/** An answer to a question, or the id or name that something is answered by. */
export const AnswerText = z.string();
