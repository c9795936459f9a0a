import type { AssistantContent, ModelMessage, ToolResultPart } from "ai";

/**
 * A conversation is a projection of the journal: what was injected, answered and returned, in order. Nothing of it is
 * ever rebuilt or reordered, so an earlier prompt stays an exact prefix of every later one. A journal begins anew where the
 * conversation was compacted: that is the one place where a prompt is not continued.
 */

/** A tool's output in the form in which the model reads it. */
export type ToolOutput = ToolResultPart["output"];

/** The body of `run.injected`: the one user message that the model got. */
export interface InjectedBody {
  readonly text: string;
  /** The attempt whose task is in it. */
  readonly attempt?: number;
  /** The limit of whose end it tells. */
  readonly landing?: string;
  /** Through whom what it was told came to it: a chain of names for each message, from the user on. */
  readonly origins?: readonly (readonly string[])[];
}
/** The body of `run.answered`. */
export interface AnsweredBody {
  readonly content: Exclude<AssistantContent, string>;
  /** The way to the model that gave the answer. */
  readonly model?: string;
  /** Whether that was the fallback, the agent's own model having failed for good. */
  readonly fallback?: true;
  /** What became of an effort that the provider can't make as it was asked for. */
  readonly notes?: readonly string[];
  /** How many entries of its script the scripted model has used up, when it was the one that answered. */
  readonly position?: number;
}
/** The body of `run.compacted`: the one user message that stands for everything before it. */
export interface CompactedBody {
  readonly text: string;
  /** Limits of whose end was told before. */
  readonly landings: readonly string[];
  /** As in the body of `run.answered`. */
  readonly model?: string;
  readonly fallback?: true;
  readonly position?: number;
}
/** The body of `tool.ended`: the output in the form in which the model reads it. */
export interface ToolEndedBody {
  readonly call: string;
  readonly tool: string;
  readonly output: ToolOutput;
  /** All of the output, where it was too long and the model got a part. */
  readonly whole?: ToolOutput;
}

/** One entry of an actor's conversation. */
export type JournalEntry =
  | ({ readonly type: "injected" } & InjectedBody)
  | ({ readonly type: "answered" } & AnsweredBody)
  | ({ readonly type: "compacted" } & CompactedBody)
  | ({ readonly type: "ended" } & Omit<ToolEndedBody, "whole">);

/** A tool call of the conversation that has no result. */
export interface OpenCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
}

/** The messages of a journal, as the AI SDK takes them. */
export function messagesOf(journal: readonly JournalEntry[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const entry of journal) {
    if (entry.type === "injected" || entry.type === "compacted") messages.push({ role: "user", content: entry.text });
    // An empty answer is no message: providers refuse one without content.
    else if (entry.type === "answered") {
      if (entry.content.length > 0) messages.push({ role: "assistant", content: [...entry.content] });
    } else pushResult(messages, entry);
  }
  return messages;
}

function pushResult(messages: ModelMessage[], { call, tool, output }: ToolEndedBody): void {
  const part: ToolResultPart = { type: "tool-result", toolCallId: call, toolName: tool, output };
  const last = messages.at(-1);
  if (last?.role === "tool") last.content.push(part);
  else messages.push({ role: "tool", content: [part] });
}

/** Calls of the last answer that have no result yet: a run that was lost left them. */
export function openCallsOf(journal: readonly JournalEntry[]): OpenCall[] {
  const at = journal.findLastIndex((entry) => entry.type === "answered");
  const answer = journal[at];
  if (answer?.type !== "answered") return [];
  const ended = new Set(journal.slice(at).flatMap((entry) => (entry.type === "ended" ? [entry.call] : [])));
  return answer.content.flatMap((part) =>
    part.type === "tool-call" && !ended.has(part.toolCallId)
      ? [{ call: part.toolCallId, tool: part.toolName, input: part.input }]
      : [],
  );
}

/** The text of an answer. */
export const textOf = (content: AnsweredBody["content"]): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
