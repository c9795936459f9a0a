import { asSchema, type ToolSet } from "ai";
import type { AnsweredBody, JournalEntry, ToolEndedBody } from "./conversation.ts";
import type { ModelToolCall } from "./model-call.ts";
import type { EndedCall } from "./tool-calls.ts";

/** The last answer of a journal, and how those of its calls ended that have ended; null when something was said since. */
export function lastAnswerOf(journal: readonly JournalEntry[]): {
  readonly content: AnsweredBody["content"] | null;
  readonly ended: readonly EndedCall[];
} {
  const at = journal.findLastIndex(({ type }) => type === "answered" || type === "injected" || type === "compacted");
  const answer = journal[at];
  if (answer?.type !== "answered") return { content: null, ended: [] };
  const ended = journal.slice(at).flatMap((entry): EndedCall[] => {
    if (entry.type !== "ended") return [];
    const { call, tool, output } = entry;
    return [{ call, tool, output, verdict: "ok", value: output.type === "json" ? output.value : null }];
  });
  return { content: answer.content, ended };
}

/** Calls of the journal as an answer has them: which may be executed, and which must not, since their input is wrong. */
export async function sortCalls(
  open: readonly ModelToolCall[],
  tools: ToolSet,
): Promise<{ readonly calls: readonly ModelToolCall[]; readonly invalid: readonly ToolEndedBody[] }> {
  const calls: ModelToolCall[] = [];
  const invalid: ToolEndedBody[] = [];
  for (const call of open) {
    const fault = await inputFault(call, tools);
    if (fault === null) calls.push(call);
    else invalid.push({ call: call.call, tool: call.tool, output: { type: "error-text", value: fault } });
  }
  return { calls, invalid };
}

/** What is wrong with a call's input, or null. A tool that isn't there is for whoever executes it to refuse. */
async function inputFault({ tool: name, input }: ModelToolCall, tools: ToolSet): Promise<string | null> {
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) return null;
  const result = await asSchema(tool.inputSchema).validate?.(input);
  return result === undefined || result.success
    ? null
    : `tool_error: invalid input: ${result.error.message.slice(0, 600)}`;
}
