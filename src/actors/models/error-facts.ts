import { safeRead, safeReadText, textMax } from "./safe-read.ts";

/** How far causes are followed. A chain that is longer, or a circle, tells no more. */
const depthMax = 8;

/** A code is a word; what is longer is none. */
const codeMax = 100;

/** What one error in a chain of causes says of itself, each fact read safely. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  /** Its own `code` as it is written, or "". */
  readonly code: string;
  /** The HTTP status, or undefined when there was no response, or a good one. */
  readonly status: number | undefined;
  /** Every word that classes it: its `code` and `type`, and those of the provider's error inside it. Lower case. */
  readonly codes: readonly string[];
  /** Message and response body, for what only a text tells. */
  readonly text: string;
  readonly headers: unknown;
  readonly isRetryable: boolean;
}

const isFailedStatus = (value: unknown): value is number => typeof value === "number" && value >= 400 && value <= 599;

/** What the provider's own error says, wherever the SDK has put it. */
const sourcesOf = (error: unknown): unknown[] => {
  const data = safeRead(error, "data");
  return [error, safeRead(error, "error"), data, safeRead(data, "error")];
};

const factsOf = (error: unknown): ErrorFacts => {
  const sources = sourcesOf(error);
  const read = (keys: readonly string[]): unknown[] =>
    sources.flatMap((source) => keys.map((key) => safeRead(source, key)));
  const own = typeof error === "string" ? error.slice(0, textMax) : safeReadText(error, "message");
  const message = own ?? safeReadText(safeRead(error, "error"), "message") ?? "";
  const codes = read(["code", "type", "status"]).filter((code) => typeof code === "string");
  return {
    name: safeReadText(error, "name") ?? "",
    message,
    code: safeReadText(error, "code")?.slice(0, codeMax) ?? "",
    status: read(["statusCode", "status", "code"]).find(isFailedStatus),
    codes: codes.map((code) => code.slice(0, codeMax).toLowerCase()),
    text: `${message}\n${safeReadText(error, "responseBody") ?? ""}`,
    headers: safeRead(error, "responseHeaders"),
    isRetryable: safeRead(error, "isRetryable") === true,
  };
};

/** The error itself and then what caused it, outermost first. */
export const errorChain = (error: unknown): readonly [ErrorFacts, ...ErrorFacts[]] => {
  const chain: [ErrorFacts, ...ErrorFacts[]] = [factsOf(error)];
  const seen = new Set<unknown>([error]);
  let current = error;
  while (chain.length < depthMax) {
    // A retry error names the last failure apart from its cause.
    current = safeRead(current, "lastError") ?? safeRead(current, "cause");
    if (current === undefined || current === null || seen.has(current)) break;
    seen.add(current);
    chain.push(factsOf(current));
  }
  return chain;
};
