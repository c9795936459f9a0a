import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../../../src/actors/recording/redactor.ts";
import { byteLength } from "../../../src/protocol/names.ts";

const redactor = createRedactor({ secrets: ["kanari€n-vogel"] });

test.each([
  "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
  "sk-proj-0123456789abcdef0123",
  "AIzaSyA0123456789abcdefghijklmnopqrstuv",
  "ghp_0123456789abcdefghijABCDEFGHIJ",
  "github_pat_11AAAAAAA0123456789abcdef",
  "AKIAIOSFODNN7EXAMPLE",
  "xoxb-123456789012-abcdef",
  "gsk_0123456789abcdefghij",
  "hf_abcdefghijklmnopqrstuv",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefgh",
  "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----",
  "kanari€n-vogel",
])("a text that holds %s does not show it and is as long as before", (secret) => {
  const text = `use "${secret}" for it`;
  const hidden = redactor.text(text);
  expect(hidden).not.toContain(secret.slice(4, -4));
  expect(hidden).toMatch(/^use ".*" for it$/s);
  expect(byteLength(hidden)).toBe(byteLength(text));
});

test.each([
  ["Authorization: Bearer abcdef123456789", "abcdef123456789"],
  ["export OPENAI_API_KEY=abcd1234efgh", "abcd1234efgh"],
  [`{"password": "hunter22hunter"}`, "hunter22hunter"],
  ["postgres://app:app:s3cret@db/x", "s3cret"],
])("the secret part of %s is hidden", (text, secret) => {
  expect(redactor.text(text)).not.toContain(secret);
});

test.each([
  "the token: a short word",
  "sk-8",
  "password: required",
  "https://example.com/a:b",
  "task-force-of-sixteen-people",
])("%s is no secret", (text) => {
  expect(redactor.text(text)).toBe(text);
});

test.each([
  `key=A://u:!!"@0`,
  `key=abcdefghij://u:!!"@0`,
  `token: abcdefghij://u:a"b1@c1`,
  `AKIAIOSFODNN7EXAMPLEa://u:x y@z`,
])("what stood on two sides of a hidden part is no secret the second time: %s", (text) => {
  const hidden = redactor.text(text);
  expect(redactor.text(hidden)).toBe(hidden);
  expect(byteLength(hidden)).toBe(byteLength(text));
});

test("hiding twice hides nothing more, and every text keeps its length in bytes", () => {
  const part = fc.constantFrom(
    "sk-abcdefghijklmnop1234",
    "key=",
    "a1b2c3d4e5",
    "://u:",
    "@",
    " ",
    "Bearer ",
    "é",
    '"',
    "AKIAIOSFODNN7EXAMPLE",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
      const text = parts.join("");
      const hidden = redactor.text(text);
      expect(redactor.text(hidden)).toBe(hidden);
      expect(byteLength(hidden)).toBe(byteLength(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  "key=",
  "a.",
  "a://",
  "a://b:",
  "basic ",
  "eyJaaaaaaaa.",
  "sk-",
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----",
  "key ",
  "A ",
])(
  "a long text of nothing but %j takes no longer than a long text",
  (part) => {
    const text = part.repeat(1_000_000 / part.length);
    expect(byteLength(redactor.text(text))).toBe(text.length);
  },
  10_000,
);

test("fields are secret by their name, counts and lists beside them are not", () => {
  const body = {
    apiKey: "a",
    "x-api-key": "b",
    Authorization: ["c"],
    headers: { "Set-Cookie": { d: 1 } },
    access_token: "e",
    client_secret: 5,
    tokens: 12,
    tokenCount: 12,
    keys: ["name"],
    monkey: "f",
    passwordHint: "g",
    author: "Ann",
    isSecret: true,
    key: null,
  };
  const hidden = "[redacted]";
  expect(redactor.value(body)).toEqual({
    ...body,
    apiKey: hidden,
    "x-api-key": hidden,
    Authorization: hidden,
    headers: { "Set-Cookie": hidden },
    access_token: hidden,
    client_secret: hidden,
    passwordHint: hidden,
  });
});

test("more names can be given", () => {
  const own = createRedactor({ keys: ["kontoNummer"] });
  expect(own.value({ konto_nummer: "1", konto: "2" })).toEqual({ konto_nummer: "[redacted]", konto: "2" });
});

test("a value without secrets is handed back itself, and one with secrets is not changed", () => {
  const clean = JSON.parse('{ "__proto__": { "a": ["b"] }, "c": 1 }') as object;
  expect(redactor.value(clean)).toBe(clean);
  const body = { list: [{ password: "x" }] };
  expect(redactor.value(body)).toEqual({ list: [{ password: "[redacted]" }] });
  expect(body).toEqual({ list: [{ password: "x" }] });
});

test("of steering data only the free text is masked: names, tokens and ids stay who they are", () => {
  const secret = "sk-abcdefghijklmnop1234";
  const event = { type: "run.failed", token: "A-t1", call: secret, reason: `model_error: ${secret}` };
  expect(redactor.steering(event)).toMatchObject({ token: "A-t1", call: secret });
  expect(JSON.stringify(redactor.steering({ ...event, call: "" }))).not.toContain(secret);
});
