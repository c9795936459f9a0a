import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { TeamSystemOptions } from "../../src/actors/system/team-system-options.ts";
import { startOpenAiServer, type OpenAiServer, type Replies, type ServedRequest } from "./openai-server.ts";
import { startSystem, type TestSystem } from "./sessions.ts";

/** A system whose model is a server of our own, over HTTP with streams. */
export interface HttpTeam extends TestSystem {
  readonly server: OpenAiServer;
}

/** Starts both. `await using` closes both. */
export async function startHttpTeam(replies: Replies, options: Partial<TeamSystemOptions> = {}): Promise<HttpTeam> {
  const server = await startOpenAiServer(replies);
  const provider = createOpenAICompatible({ name: "local", baseURL: server.baseUrl, includeUsage: true });
  const tests = await startSystem({ model: provider("m"), ...options });
  return {
    ...tests,
    server,
    [Symbol.asyncDispose]: async () => {
      await tests.system.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A reply that calls tools. */
export const calls = (...made: readonly (readonly [name: string, input: unknown])[]) => ({
  calls: made.map(([name, input]) => ({ name, arguments: input })),
});

/** A reply that delivers. */
export const delivers = (summary = "done") => calls(["complete", { summary, paths: [] }]);

/** Whose request this is, by the first words of its conversation. */
export const taskOf = ({ body }: ServedRequest): string => {
  const first = body.messages.find(({ role }) => role === "user");
  return /Task of (\S+)\./.exec(JSON.stringify(first?.content))?.[1] ?? "Lead";
};

/** The messages of a request as one line each, for comparing prompts. */
export const linesOf = ({ body }: ServedRequest): string[] => body.messages.map((message) => JSON.stringify(message));

/** Whether each prompt begins with the one before it, word for word. */
export const growOnly = (requests: readonly ServedRequest[]): boolean =>
  requests.slice(1).every((later, index) => {
    const earlier = linesOf(requests[index] as ServedRequest);
    return earlier.length <= linesOf(later).length && earlier.every((line, at) => line === linesOf(later)[at]);
  });
