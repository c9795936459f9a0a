import type { Schema, ToolExecutionOptions } from "ai";
import { refusal, TeamError } from "../../errors/index.ts";
import type { Reply, ReplyValue } from "../../protocol/reply.ts";
import type { CallContext, TeamPort } from "../port.ts";
import { refusing } from "../refusing.ts";
import type { Answer, ModelInput } from "./model-input.ts";
import { refusalLines } from "./refusal-lines.ts";

/** What a tool is to every caller: it is made once and shared. */
export interface TeamToolDefinition<Given, Value> {
  readonly name: string;
  readonly description: string;
  readonly input: ModelInput<Given, Value>;
  /** Refused to members, by who they are, before anything else is looked at. */
  readonly leadOnly: boolean;
}

/** A tool of the AI SDK whose calls always have a result. */
export interface TeamTool<Given, Result> {
  readonly description: string;
  readonly inputSchema: Schema<Given>;
  readonly execute: (given: Given, options: ToolExecutionOptions<unknown>) => Promise<Result | string>;
}

/** The tool in the hands of one caller. Whatever happens the call has a result: a JSON object, or a refusal as text. */
export const teamTool = <Given, Value, Result>(
  { name, description, input, leadOnly }: TeamToolDefinition<Given, Value>,
  port: TeamPort,
  run: (value: Value, call: CallContext) => Promise<Answer<Result>>,
): TeamTool<Given, Result> =>
  Object.freeze({
    description,
    inputSchema: input.inputSchema,
    execute: refusing<Given, Result | string>(async (given, { toolCallId, abortSignal }) => {
      if (leadOnly && port.role !== "lead") {
        return refusalLines([refusal("lead_only", { tool: name, caller: port.caller })]);
      }
      const value = input.read(given);
      if ("refused" in value) return refusalLines(value.refused);
      const answer = await run(value.ok, { toolCallId, signal: abortSignal });
      return "refused" in answer ? refusalLines(answer.refused) : answer.ok;
    }),
  });

/** The value of a reply, which must be of this type, turned into a tool's result. */
export function answerFrom<Type extends ReplyValue["type"], Result>(
  reply: Reply,
  type: Type,
  toResult: (value: Extract<ReplyValue, { type: Type }>) => Result,
): Answer<Result> {
  if ("refused" in reply) return reply;
  if (reply.ok.type !== type) {
    throw new TeamError("kernel_error", { problem: `a reply of type ${reply.ok.type} came for ${type}` });
  }
  // The line above has compared the discriminant, which TypeScript does not follow through a type parameter.
  return { ok: toResult(reply.ok as Extract<ReplyValue, { type: Type }>) };
}
