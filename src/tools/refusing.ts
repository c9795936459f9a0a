import type { ToolExecutionOptions } from "ai";
import { isTeamError, toolRefusalText } from "../errors/index.ts";

const problemCharsMax = 300;
const problemsMax = 10;

/** What was thrown, as one short line; whatever it is, this does not throw. */
const problemOf = (thrown: unknown): string => {
  try {
    const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    const line = text.replaceAll(/\s+/gu, " ").trim();
    if (line === "") return "unknown";
    return line.length > problemCharsMax ? `${line.slice(0, problemCharsMax).toWellFormed()}...` : line;
  } catch {
    // Its text is a getter or a conversion that throws.
    return "unknown";
  }
};

/**
 * Wraps the `execute` of a tool so that it never rejects: a TeamError becomes `CODE: what. Do: next step.`, anything
 * else `tool_error: what`. The model reads it as the result and goes on. Several problems come as a line each.
 *
 * A call whose run was aborted says so; nobody is left to read it.
 */
export const refusing =
  <Input, Output, Context = unknown>(
    execute: (input: Input, options: ToolExecutionOptions<Context>) => Output | PromiseLike<Output>,
  ): ((input: Input, options: ToolExecutionOptions<Context>) => Promise<Output | string>) =>
  async (input, options) => {
    try {
      return await execute(input, options);
    } catch (thrown) {
      if (isTeamError(thrown)) return thrown.problems.slice(0, problemsMax).map(toolRefusalText).join("\n");
      if (options.abortSignal?.aborted === true)
        return "tool_error: interrupted; the run was stopped before this call ended";
      return `tool_error: ${problemOf(thrown)}`;
    }
  };
