import { createGateway, generateText } from "ai";
import { expect, test } from "vitest";
import { classifyModelError } from "../../../src/actors/models/model-error.ts";

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

const messageOf = (error: unknown) => classifyModelError(error).message;

test("a failure's message tells what the causes add", () => {
  const error = new TypeError("fetch failed", {
    cause: withCode("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"),
  });
  expect(messageOf(error)).toBe("fetch failed: connect ECONNREFUSED 127.0.0.1:1");
});

test("a failure's message names the code where a cause has no text", () => {
  expect(messageOf(new TypeError("fetch failed", { cause: withCode("", "ECONNREFUSED") }))).toBe(
    "fetch failed: ECONNREFUSED",
  );
});

test("a failure's message is one line without terminal sequences and control characters", () => {
  const text =
    "\u001B[31mred\u001B[0m\r\n  and\u0007 \u001B]8;;https://x.test\u001B\\link\u001B]8;;\u001B\\ \u2028end\u009B1m";
  expect(messageOf(new Error(text))).toBe("red and link end");
});

test("a failure's message has at most 300 characters and never half a character", () => {
  for (const text of ["x".repeat(10_000_000), "😀".repeat(1_000), `x${"😀".repeat(1_000)}`]) {
    const message = messageOf(new Error(text));
    expect(message.length).toBeLessThanOrEqual(300);
    expect(message.isWellFormed()).toBe(true);
    expect(message.endsWith("…")).toBe(true);
  }
});

test.each([
  "Incorrect API key provided: sk-proj-abcdef1234567890abcdef.",
  "bad key AIzaSyA1234567890abcdefghijklmnopqrstu",
  "Authorization: Bearer abcdef1234567890abcdef",
  'headers {"x-api-key":"abcdef1234567890abcdef"}',
  "GET https://api.test/v1?api_key=abcdef1234567890abcdef&x=1 failed",
  "GET https://api.test/v1?key=abcdef1234567890abcdef failed",
  "connect http://user:abcdef1234567890abcdef@host.test failed",
  "token: abcdef1234567890abcdef",
  "jwt eyJhbGciOi.eyJabcdef1234567890abcdef.sig",
  "vck_abcdef1234567890abcdef",
])("a failure's message masks the secret in %s", (text) => {
  const message = messageOf(new Error(text));
  expect(message).toContain("[secret]");
  expect(message).not.toMatch(/abcdef1234567890/);
  expect(message).not.toMatch(/AIzaSy/);
});

test("a failure's message keeps what only sounds like a secret", () => {
  const text = "maximum 4096 tokens; the key is missing; task-list of 12; token count 12345";
  expect(messageOf(new Error(text))).toBe(text);
});

test.each([[undefined], [null], [""], [{}], [0], [Symbol("s")], [() => 1], [new Error("")]])(
  "a failure's message says something of %o too",
  (thrown) => {
    expect(messageOf(thrown)).toMatch(/\w/);
  },
);

test("a failure's message of the gateway's coloured text is plain", async () => {
  const model = createGateway({ apiKey: "k", baseURL: "http://127.0.0.1:1" })("a/b");
  const error: unknown = await generateText({ model, prompt: "x", maxRetries: 0 }).catch((thrown: unknown) => thrown);
  expect(messageOf(error)).toMatch(/^[ -~]{10,300}$/);
});
