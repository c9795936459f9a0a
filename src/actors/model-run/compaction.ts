import type { ModelMessage } from "ai";
import type { Usage } from "../../protocol/input.ts";
import { compactedText, compactionPrompt } from "../../tools/team/index.ts";
import { messagesOf, textOf, type CompactedBody, type JournalEntry } from "./conversation.ts";
import type { ModelCaller } from "./model-caller.ts";
import type { ModelRunOptions } from "./model-run-options.ts";
import { landingsOf } from "./soft-landing.ts";
import { failureText } from "./tool-calls.ts";

/** A conversation that may have to be compacted. */
export interface LongTurn {
  readonly options: ModelRunOptions;
  readonly caller: ModelCaller;
  readonly journal: readonly JournalEntry[];
  /** Tokens of its last prompt and answer as the provider counted them, 0 = not known; and how many entries that covers. */
  readonly counted: { readonly tokens: number; readonly entries: number };
  /** Whether the task of this attempt is in it. */
  readonly hasTask: boolean;
}

/** What a model can read at once where nobody says. */
const contextTokensDefault = 128_000;
const charsPerToken = 4;

/** Characters as a model reads them: what a file or an image costs is the provider's own. */
function charsOf(messages: readonly ModelMessage[]): number {
  const text = JSON.stringify(messages, function leaveOut(this: unknown, key: string, value: unknown) {
    const isMedia = typeof this === "object" && this !== null && "mediaType" in this;
    return isMedia && (key === "data" || key === "image") ? undefined : value;
  });
  return text.length;
}

/** About how many tokens the conversation has by now. */
function tokensOf({ options, journal, counted }: LongTurn): number {
  const all = Math.ceil((options.instructions.length + charsOf(messagesOf(journal))) / charsPerToken);
  if (counted.tokens === 0) return all;
  const since = charsOf(messagesOf(journal.slice(counted.entries)));
  return Math.max(all, counted.tokens + Math.ceil(since / charsPerToken));
}

/** Whether the conversation is long enough to be compacted, and there is something in it that a summary makes shorter. */
async function isDue(turn: LongTurn): Promise<boolean> {
  const { options, caller, journal } = turn;
  const { contextTokens, compactAt } = options;
  if (compactAt === 0 || !journal.some((entry) => entry.type === "answered")) return false;
  // A script has no context that could be full; it is held to one that is given.
  if (contextTokens === null && (await caller.ready()).isScripted) return false;
  return tokensOf(turn) >= compactAt * (contextTokens ?? contextTokensDefault);
}

/** A summary of at most as many characters as its model reads tokens: a quarter of what made it necessary. */
function boundedSummary(summary: string, contextTokens: number): string {
  if (summary.length <= contextTokens) return summary;
  const left = summary.length - contextTokens;
  return `${summary.slice(0, contextTokens).toWellFormed()}\n[Cut: ${left} more characters were too long for a summary.]`;
}

/** What stands for a conversation from now on. */
type Compacted = { readonly type: "compacted" } & CompactedBody;

/**
 * Replaces a conversation that has become too long by a summary of it, in the log as a step of its own. Null when it is not
 * too long; "failed" when the turn is over because there is no summary, which is reported then.
 *
 * Called between two steps, where no call is open. Mail that is unread stays unread, and is read after the summary.
 */
export async function compact(turn: LongTurn): Promise<Compacted | "failed" | null> {
  if (!(await isDue(turn))) return null;
  const { options } = turn;
  return options.compact === null ? byModel(turn) : byFunction(turn, options.compact);
}

/** The entry of a summary. The task stays word for word, and how the team stands is told by the session and not by memory. */
function entryOf({ options, journal, hasTask }: LongTurn, summary: string): Compacted {
  const { prompt, roster, contextTokens } = options;
  const task = hasTask ? prompt : null;
  const bounded = boundedSummary(summary, contextTokens ?? contextTokensDefault);
  return {
    type: "compacted",
    text: compactedText({ task, summary: bounded, roster: roster() }),
    landings: landingsOf(journal),
  };
}

async function byModel(turn: LongTurn): Promise<Compacted | "failed"> {
  const { options, caller, journal } = turn;
  const { port } = options;
  const messages: ModelMessage[] = [...messagesOf(journal), { role: "user", content: compactionPrompt }];
  let entry: Compacted | null = null;
  const answer = await caller.ask({
    messages,
    promptTokens: options.budget.isLimited ? tokensOf(turn) : 0,
    toolChoice: { type: "none" },
    compacts: true,
    journal: async ({ content, usage }, source) => {
      const summary = textOf(content).trim();
      if (summary === "") return;
      entry = { ...entryOf(turn, summary), ...source };
      await report(options, entry, usage, true);
    },
  });
  if (answer === null) return "failed";
  if (entry !== null) return entry;
  const reason = "model_error: unknown: the conversation is too long, and its summary was empty";
  await port.report({ type: "run.failed", reason, called: true });
  return "failed";
}

async function byFunction(
  turn: LongTurn,
  given: NonNullable<ModelRunOptions["compact"]>,
): Promise<Compacted | "failed"> {
  const { options, journal } = turn;
  try {
    const summary: unknown = await given({ messages: messagesOf(journal), signal: options.signal });
    if (typeof summary !== "string" || summary.trim() === "") throw new TypeError("it gave no text");
    const entry = entryOf(turn, summary.trim());
    await report(options, entry, { input: 0, output: 0 }, false);
    return entry;
  } catch (error) {
    options.signal.throwIfAborted();
    const reason = failureText(error).replace("tool_error: ", "tool_error: compact: ").slice(0, 500);
    await options.port.report({ type: "run.failed", reason });
    return "failed";
  }
}

async function report({ port }: ModelRunOptions, entry: Compacted, usage: Usage, called: boolean): Promise<void> {
  const { type: _type, ...body } = entry;
  await port.report({ type: "run.compacted", usage, called }, body);
}
