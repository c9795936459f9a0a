import { APICallError } from "ai";
import type { ScriptEntry } from "../../protocol/script.ts";
import { scriptMetadata, type ScriptOutcome } from "./script-call.ts";

/** An entry whose call fails. (`content_filter` and `malformed` are answers.) */
export type FailureEntry = Extract<ScriptEntry, { error: unknown }> & {
  readonly error: "overloaded" | "rate_limited" | "context_length" | "network";
};

/** Both forms in use: milliseconds as some providers send them, and the standard's whole seconds, rounded up. */
const retryAfterHeaders = (retryAfterMs: number | undefined): Record<string, string> =>
  retryAfterMs === undefined
    ? {}
    : { "retry-after-ms": String(retryAfterMs), "retry-after": String(Math.ceil(retryAfterMs / 1000)) };

const connectionReset = (): Error => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

/** What each failure looks like when a provider of the AI SDK throws it. */
const looks: Record<FailureEntry["error"], { message: string; statusCode?: number; code: string }> = {
  overloaded: { message: "Overloaded", statusCode: 529, code: "overloaded_error" },
  rate_limited: { message: "Rate limit reached", statusCode: 429, code: "rate_limit_exceeded" },
  context_length: {
    message: "This prompt is longer than the maximum context length of the model",
    statusCode: 400,
    code: "context_length_exceeded",
  },
  network: { message: "Cannot connect to API: read ECONNRESET", code: "ECONNRESET" },
};

/** The error that a scripted failure throws: in shape and fields what a provider's own would be. */
export const scriptedFailure = (entry: FailureEntry, outcome: ScriptOutcome): APICallError => {
  const { message, statusCode, code } = looks[entry.error];
  const error = { message: `${message} (scripted)`, code };
  const data = { error, ...scriptMetadata(outcome) };
  const request = { message: error.message, url: "scripted:", requestBodyValues: {}, data };
  if (statusCode === undefined) return new APICallError({ ...request, cause: connectionReset(), isRetryable: true });
  return new APICallError({
    ...request,
    statusCode,
    responseHeaders: retryAfterHeaders(entry.retryAfterMs),
    responseBody: JSON.stringify({ error }),
  });
};
