import type { ErrorFacts } from "./error-facts.ts";

/** The classes of failed model calls. The first six stand in `model_error: <class>` of a failure reason. */
export type ModelErrorClass =
  | "overloaded"
  | "rate_limited"
  | "context_length"
  | "network"
  | "content_filter"
  | "script"
  | "auth"
  | "bad_request"
  | "timeout"
  | "unknown";

const contextTexts =
  /context[ _-]?(?:length|window|size)|maximum context|prompt (?:is )?too long|input is too long|request_too_large|input token count|too many input tokens/i;
const filterTexts =
  /content[ _-]?filter|content management policy|content[ _-]policy|responsible ai policy|prohibited_content/i;
/** A key without money left: waiting helps nobody, so it is no rate limit, though some answer 429. */
const unpaidTexts = /insufficient_quota|exceeded your current quota|credit balance|insufficient (?:funds|credits)/i;
const overloadTexts = /overloaded|over capacity|server is busy|temporarily unavailable/i;
const rateTexts = /rate[ _-]?limit|too many requests/i;
const networkTexts =
  /^(?:fetch failed|failed to fetch|terminated|network error|socket hang up|other side closed|response stream ended.*)$/i;

/** Words by which providers and runtimes say what happened, where no HTTP status does: in the middle of a stream. */
const words = {
  overloaded: "overloaded_error server_error api_error internal_server_error unavailable internal",
  rate_limited: "rate_limit_error rate_limit_exceeded resource_exhausted",
  context_length: "context_length_exceeded string_above_max_length",
  network: `econnreset econnrefused econnaborted enotfound eai_again epipe etimedout ehostunreach enetunreach
    und_err_socket und_err_connect_timeout und_err_headers_timeout und_err_body_timeout connectionrefused
    connectionclosed failedtoopensocket`,
  content_filter: "content_filter content_policy_violation",
  auth: "authentication_error permission_error invalid_api_key unauthenticated permission_denied",
  bad_request: "invalid_request_error not_found_error model_not_found invalid_argument not_found",
  timeout: "deadline_exceeded timeout_error",
} satisfies Partial<Record<ModelErrorClass, string>>;

const classesByWord = new Map<string, ModelErrorClass>(
  Object.entries(words).flatMap(([name, list]) =>
    // Object.entries widens the literal names of the table.
    list.split(/\s+/).map((word) => [word, name as ModelErrorClass] as const),
  ),
);

/** Errors of the SDK and the platform that say by their name what they are. */
const names = new Map<string, ModelErrorClass>([
  ["ScriptError", "script"],
  ["AbortError", "timeout"],
  ["TimeoutError", "timeout"],
  ["AI_LoadAPIKeyError", "auth"],
  ["AI_LoadSettingError", "auth"],
  ["AI_NoSuchModelError", "bad_request"],
  ["AI_NoSuchProviderError", "bad_request"],
  ["AI_InvalidPromptError", "bad_request"],
  ["AI_MissingToolResultsError", "bad_request"],
  ["AI_InvalidArgumentError", "bad_request"],
  ["AI_UnsupportedFunctionalityError", "bad_request"],
  ["AI_UnsupportedModelVersionError", "bad_request"],
  ["AI_EmptyResponseBodyError", "network"],
]);

/** What a text tells that outweighs the status it came with: some servers answer 500 to a prompt that is too long. */
const classOfText = (text: string): ModelErrorClass | null => {
  if (contextTexts.test(text)) return "context_length";
  return filterTexts.test(text) ? "content_filter" : null;
};

const classOfStatus = ({ status = 0, codes, text }: ErrorFacts): ModelErrorClass => {
  if (unpaidTexts.test(text) || codes.includes("insufficient_quota")) return "auth";
  if (status === 401 || status === 402 || status === 403) return "auth";
  if (status === 429) return "rate_limited";
  const told = classOfText(`${text}\n${codes.join("\n")}`);
  if (told !== null) return told;
  if (status === 413) return "context_length";
  if (status === 408) return "network";
  // Conflict and too early: the server could not take it now.
  if (status === 409 || status === 425) return "overloaded";
  return status >= 500 && status !== 501 && status !== 505 ? "overloaded" : "bad_request";
};

const classOfWords = ({ codes, message, name, text, isRetryable }: ErrorFacts): ModelErrorClass => {
  const named = names.get(name);
  if (named !== undefined) return named;
  if (unpaidTexts.test(text) || codes.includes("insufficient_quota")) return "auth";
  const coded = codes.map((code) => classesByWord.get(code)).find((found) => found !== undefined);
  if (coded === "bad_request") return classOfText(text) ?? coded;
  if (coded !== undefined) return coded;
  if (networkTexts.test(message)) return "network";
  if (rateTexts.test(text)) return "rate_limited";
  if (overloadTexts.test(text)) return "overloaded";
  // What the SDK would try again, and what never got an answer with a status, failed on its way.
  return classOfText(text) ?? (isRetryable ? "network" : "unknown");
};

/** The class of one error by its own facts; `unknown` where they tell nothing, and its cause may. */
export const classOfFacts = (facts: ErrorFacts): ModelErrorClass =>
  facts.status === undefined ? classOfWords(facts) : classOfStatus(facts);
