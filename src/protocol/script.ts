import { z } from "zod";
import { JsonValue } from "./json-value.ts";
import { mapOf } from "./map-of.ts";
import type { WorkState } from "./reply.ts";

/** The longest delay that every timer of this platform keeps: 2^31 - 1 ms, nearly 25 days. */
const delayMsMax = 2_147_483_647;

const DelayMs = z.int().min(0).max(delayMsMax);

const ScriptedCall = z.strictObject({ tool: z.string().min(1), input: JsonValue });

/** The model answers with these tool calls, all in one step, after `text` if there is one. */
const CallsEntry = z.strictObject({
  calls: z.array(ScriptedCall).min(1),
  text: z.string().optional(),
  delayMs: DelayMs.optional(),
});

const AwaitedStatus = z.enum(["blocked", "in_progress", "completed", "failed", "cancelled"] satisfies WorkState[]);

/** The model asks `team_status` until each named member has the named status. */
const WaitForEntry = z.strictObject({
  waitFor: mapOf(AwaitedStatus).refine((members) => members.size > 0, { error: "names no member" }),
});

/** The model sums its conversation up, which has become too long: the answer to that call, and to no other. */
const CompactEntry = z.strictObject({ compact: z.string().min(1), delayMs: DelayMs.optional() });

/** The model answers in plain words and calls nothing. */
const TextEntry = z.strictObject({ text: z.string(), delayMs: DelayMs.optional() });

/** The call fails as a provider's call fails; `malformed` is an answer whose tool call has broken arguments. */
const ErrorEntry = z.strictObject({
  error: z.enum(["overloaded", "rate_limited", "context_length", "network", "content_filter", "malformed"]),
  retryAfterMs: DelayMs.optional(),
  delayMs: DelayMs.optional(),
});

/** The call never ends by itself; an abort ends it. */
const HangEntry = z.strictObject({ hang: z.literal(true) });

/** The first key of these that an entry has says what the entry is. */
const kinds = {
  calls: CallsEntry,
  waitFor: WaitForEntry,
  error: ErrorEntry,
  hang: HangEntry,
  compact: CompactEntry,
  text: TextEntry,
} as const;

/** What the scripted model does in one model call. */
export type ScriptEntry = z.output<(typeof kinds)[keyof typeof kinds]>;

const kindOf = (value: object): keyof typeof kinds | undefined =>
  // Object.keys loses the literal names of the table that it was given.
  (Object.keys(kinds) as (keyof typeof kinds)[]).find((kind) => Object.hasOwn(value, kind));

/**
 * One entry of a script. It is read by the one schema that its own key chooses, not by a union of all, so that a fault
 * is told with the path to it instead of as five ways in which nothing fits.
 */
export const ScriptEntry = z.unknown().transform((value, context): ScriptEntry => {
  const kind = typeof value === "object" && value !== null ? kindOf(value) : undefined;
  if (kind === undefined) {
    context.addIssue({ code: "custom", message: `expected an entry with one of: ${Object.keys(kinds).join(", ")}` });
    return z.NEVER;
  }
  const parsed = kinds[kind].safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    // A finished issue may be handed on as a raw one; only the types of `input` differ, and they say the same.
    context.issues.push({ ...issue, path: [...issue.path], input: value } as z.core.$ZodRawIssue);
  }
  return z.NEVER;
});

/** What the scripted model answers: for each actor, by name, one entry per model call. The `script` of a team file. */
export const Script = mapOf(z.array(ScriptEntry));

/** What the scripted model answers, by actor. */
export type Script = z.output<typeof Script>;

type Mapping<Value> = ReadonlyMap<string, Value> | Readonly<Record<string, Value>>;

/** An entry as it is written in code: a mapping may be a plain object. */
export type ScriptEntryInput =
  | Exclude<ScriptEntry, { waitFor: unknown } | { calls: unknown }>
  // What an object literal infers is seldom JSON by its type; the schema judges the value.
  | (Omit<z.output<typeof CallsEntry>, "calls"> & { calls: readonly { tool: string; input: unknown }[] })
  | { waitFor: Mapping<z.input<typeof AwaitedStatus>> };

/** A script as it is written in code. */
export type ScriptInput = Mapping<readonly ScriptEntryInput[]>;
