import { APICallError, LoadAPIKeyError, NoSuchModelError, RetryError, type JSONValue } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyFinish, classifyModelError } from "../../../src/actors/models/model-error.ts";
import { ScriptError } from "../../../src/actors/models/script-error.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { thrownBy } from "../../support/model-calls.ts";

const clock = { now: () => Date.parse("2026-03-01T12:00:00Z") };

const classOf = (error: unknown) => classifyModelError(error, clock).class;

const apiError = (fields: { statusCode?: number; message?: string; responseBody?: string; data?: JSONValue } = {}) =>
  new APICallError({ message: "failed", url: "https://api.test/v1", requestBodyValues: {}, ...fields });

const withHeaders = (responseHeaders: Record<string, string>, statusCode = 429) =>
  new APICallError({ message: "wait", url: "https://api.test", requestBodyValues: {}, statusCode, responseHeaders });

const withCode = (message: string, code: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

const named = (name: string, message = "") => Object.assign(new Error(message), { name });

describe("the class", () => {
  test.each([
    [529, "overloaded"],
    [503, "overloaded"],
    [500, "overloaded"],
    [502, "overloaded"],
    [504, "overloaded"],
    [409, "overloaded"],
    [429, "rate_limited"],
    [408, "network"],
    [401, "auth"],
    [402, "auth"],
    [403, "auth"],
    [413, "context_length"],
    [400, "bad_request"],
    [404, "bad_request"],
    [422, "bad_request"],
    [501, "bad_request"],
  ])("of the HTTP status %d is %s", (statusCode, expected) => {
    expect(classOf(apiError({ statusCode }))).toBe(expected);
  });

  test.each([
    ["OpenAI", 400, "This model's maximum context length is 8192 tokens. However, you requested 9000."],
    ["Anthropic", 400, "prompt is too long: 210000 tokens > 200000 maximum"],
    ["Google", 400, "The input token count (1048577) exceeds the maximum number of tokens allowed"],
    ["a local server that answers 500", 500, "the request exceeds the available context size"],
  ])("of a prompt that is too long, as %s says it, is context_length", (_who, statusCode, message) => {
    expect(classOf(apiError({ statusCode, message }))).toBe("context_length");
  });

  test("is told by the code in the body too", () => {
    const data = { error: { message: "no", code: "context_length_exceeded" } };
    expect(classOf(apiError({ statusCode: 400, data }))).toBe("context_length");
  });

  test("of a text about tokens that came with 429 stays rate_limited", () => {
    const message = "Rate limit reached: too many input tokens per minute for this context window";
    expect(classOf(apiError({ statusCode: 429, message }))).toBe("rate_limited");
  });

  test("of a filtered prompt is content_filter", () => {
    const message = "The response was filtered due to the prompt triggering content management policy";
    expect(classOf(apiError({ statusCode: 400, message }))).toBe("content_filter");
  });

  test("of an account without credit is auth, though it came with 429: waiting doesn't help", () => {
    const data = { error: { message: "You exceeded your current quota", code: "insufficient_quota" } };
    expect(classifyModelError(apiError({ statusCode: 429, data }))).toMatchObject({ class: "auth", retryable: false });
  });

  test.each([
    [
      "a refused connection",
      new TypeError("fetch failed", { cause: withCode("connect ECONNREFUSED", "ECONNREFUSED") }),
    ],
    ["a fetch that failed", new TypeError("fetch failed")],
    ["a stream that was cut", new TypeError("terminated")],
    ["a socket that was reset", withCode("read ECONNRESET", "ECONNRESET")],
    ["a name that isn't known", withCode("getaddrinfo ENOTFOUND api.test", "ENOTFOUND")],
    ["undici's headers timeout", withCode("Headers Timeout Error", "UND_ERR_HEADERS_TIMEOUT")],
    ["a retryable call without a status", Object.assign(apiError(), { isRetryable: true })],
    ["a stream without an end", named("AI_InvalidResponseDataError", "Response stream ended without a finish reason.")],
  ])("of %s is network", (_case, error) => {
    expect(classOf(error)).toBe("network");
  });

  test.each([
    [named("AbortError"), "timeout"],
    [new DOMException("stalled", "TimeoutError"), "timeout"],
    [new LoadAPIKeyError({ message: "no key" }), "auth"],
    [new NoSuchModelError({ modelId: "m", modelType: "languageModel" }), "bad_request"],
    [named("AI_InvalidPromptError"), "bad_request"],
    [named("AI_MissingToolResultsError"), "bad_request"],
    [new ScriptError("exhausted", { actor: "A", call: 1, position: 0 }), "script"],
    [new Error("something else"), "unknown"],
  ])("of %o is %s", (error, expected) => {
    expect(classOf(error)).toBe(expected);
  });

  test.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    [{ message: "The server had an error", type: "server_error", code: null }, "overloaded"],
    [{ message: "busy", code: 503 }, "overloaded"],
    [{ error: { status: "RESOURCE_EXHAUSTED", message: "quota" } }, "rate_limited"],
    [{ type: "invalid_request_error", message: "maximum context length is 10" }, "context_length"],
    ["Rate limit reached for requests", "rate_limited"],
    ["The model is overloaded", "overloaded"],
  ])("of an error in the middle of a stream, %j, is %s", (error, expected) => {
    expect(classOf(error)).toBe(expected);
  });

  test("is looked for in the causes, the outermost that tells it first", () => {
    const cause = apiError({ statusCode: 429 });
    expect(classOf(new Error("no output", { cause }))).toBe("rate_limited");
    expect(classOf(Object.assign(apiError({ statusCode: 503 }), { cause }))).toBe("overloaded");
  });

  test("of the SDK's retry error is that of its last failure", () => {
    const errors = [apiError({ statusCode: 503 }), apiError({ statusCode: 401 })];
    expect(classOf(new RetryError({ message: "gave up", reason: "errorNotRetryable", errors }))).toBe("auth");
  });

  test.each([
    ["overloaded", "overloaded"],
    ["rate_limited", "rate_limited"],
    ["context_length", "context_length"],
    ["network", "network"],
  ] as const)("of the scripted error %s is %s", async (kind, expected) => {
    const thrown = await thrownBy(() => scriptedModel([{ error: kind }]).doGenerate({ prompt: [] }));
    expect(classOf(thrown)).toBe(expected);
  });

  test("of a filtered answer is told by its finish reason, and no other finish reason is a failure", () => {
    expect(classifyFinish("content-filter")).toMatchObject({ class: "content_filter", retryable: false });
    for (const reason of ["stop", "tool-calls", "length", "other"]) expect(classifyFinish(reason)).toBeNull();
  });
});

test("only overloaded, rate_limited and network are worth another try", () => {
  const errors = [529, 429, 408, 401, 400, 413].map((statusCode) => apiError({ statusCode }));
  const retryable = [...errors, named("TimeoutError"), new Error("x")]
    .map((error) => classifyModelError(error))
    .filter((error) => error.retryable)
    .map((error) => error.class);
  expect(retryable).toEqual(["overloaded", "rate_limited", "network"]);
});

describe("retry-after", () => {
  test.each([
    ["milliseconds", { "retry-after-ms": "1234.5", "retry-after": "9" }, 1_235],
    ["seconds", { "retry-after": "90" }, 90_000],
    ["a fraction of a second", { "retry-after": "0.25" }, 250],
    ["a date by our clock", { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, 30_000],
    [
      "a date by the server's clock, which is an hour ahead",
      { "retry-after": "Sun, 01 Mar 2026 13:00:30 GMT", date: "Sun, 01 Mar 2026 13:00:00 GMT" },
      30_000,
    ],
    ["a date that is over", { "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, 0],
    ["a wait beyond all measure", { "retry-after": "1000000000" }, 86_400_000],
    ["nonsense", { "retry-after": "soon" }, null],
    ["a negative number", { "retry-after": "-5x" }, null],
    ["an empty header", { "retry-after": "" }, null],
    ["no header", {}, null],
  ])("is read from %s", (_form, headers, expected) => {
    expect(classifyModelError(withHeaders(headers), clock).retryAfterMs).toBe(expected);
  });

  test("is found on the cause of an error without headers", () => {
    const error = new Error("gateway", { cause: withHeaders({ "retry-after": "2" }) });
    expect(classifyModelError(error, clock)).toMatchObject({ class: "rate_limited", retryAfterMs: 2_000 });
  });
});

/** Values that fight back when they are looked at. */
const hostile = (): unknown[] => {
  const boom = (): never => {
    throw new Error("boom");
  };
  const traps = Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, boom]));
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const circular: Record<string, unknown> = { message: "round" };
  circular["cause"] = circular;
  circular["data"] = circular;
  circular["error"] = circular;
  const endless: object = new Proxy(
    {},
    { get: (_target, key) => (key === "cause" ? new Proxy(endless, {}) : undefined) },
  );
  const getters = ["message", "name", "cause", "statusCode", "responseHeaders", "data", "code", "lastError"];
  const properties = Object.fromEntries(getters.map((key) => [key, { get: boom }]));
  return [
    new Proxy({}, traps),
    new Proxy(() => 1, traps),
    revoked,
    circular,
    endless,
    Object.defineProperties(new Error("x"), properties),
    { message: { toString: boom }, statusCode: "500", responseHeaders: "none", data: [], code: {} },
    { responseHeaders: new Proxy({}, traps), statusCode: 429 },
    Object.create(null),
  ];
};

test("no value makes it throw, however it behaves when it is looked at", () => {
  for (const value of hostile()) {
    expect(classifyModelError(value).message).toMatch(/\w/);
    expect(classifyModelError(new Error("outer", { cause: value })).message).toMatch(/^outer/);
  }
});

test("any value is classed, with a short message of one line", () => {
  const part = fc.oneof(fc.anything(), fc.string());
  const keys = ["message", "name", "code", "statusCode", "cause", "data", "error", "responseHeaders"];
  const errorLike = fc.record(
    { ...Object.fromEntries(keys.map((key) => [key, part])), statusCode: fc.oneof(part, fc.integer()) },
    { requiredKeys: [] },
  );
  const place = fc.record({ key: fc.constantFrom(...keys, null), index: fc.nat({ max: hostile().length - 1 }) });
  fc.assert(
    fc.property(fc.oneof(part, errorLike), place, (value, { key, index }) => {
      // fast-check itself can't hold the hostile values, so they are put in here.
      const thrown = key === null ? value : { ...Object(value), [key]: hostile()[index] };
      const { message, retryAfterMs } = classifyModelError(thrown);
      expect(message.length).toBeGreaterThan(0);
      expect(message.length).toBeLessThanOrEqual(300);
      // eslint-disable-next-line no-control-regex -- their absence is the claim
      expect(message).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
      expect(retryAfterMs === null || retryAfterMs >= 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});
