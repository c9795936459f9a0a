import { expect, test } from "vitest";
import { Script, ScriptEntry } from "../../src/protocol/script.ts";

const faults = (script: unknown) =>
  Script.safeParse(script).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);

test("every kind of entry is read", () => {
  const entries = [
    { calls: [{ tool: "team_status", input: {} }] },
    { calls: [{ tool: "complete", input: { summary: "s" } }], text: "done", delayMs: 20 },
    { text: "plain" },
    { text: "", delayMs: 0 },
    { error: "rate_limited", retryAfterMs: 200, delayMs: 5 },
    { hang: true },
  ];
  expect(Script.parse({ Lead: entries })).toEqual(new Map([["Lead", entries]]));
});

test.each(["overloaded", "rate_limited", "context_length", "network", "content_filter", "malformed"])(
  "the error %s is known",
  (error) => {
    expect(ScriptEntry.parse({ error })).toEqual({ error });
  },
);

test("waitFor is read into a Map, so that a member named __proto__ can be waited for", () => {
  const script = Script.parse(JSON.parse('{"__proto__": [{"waitFor": {"__proto__": "failed", "A": "completed"}}]}'));
  const waitFor = new Map([
    ["__proto__", "failed"],
    ["A", "completed"],
  ]);
  expect(script).toEqual(new Map([["__proto__", [{ waitFor }]]]));
});

test("what was read can be read again", () => {
  const script = Script.parse({ A: [{ waitFor: { B: "completed" } }, { text: "x" }] });
  expect(Script.parse(script)).toEqual(script);
});

test.each([
  ["in an entry", { A: [{ text: "x", foo: 1 }] }, "A.0", "foo"],
  ["named __proto__", { A: [JSON.parse('{"text":"x","__proto__":1}')] }, "A.0", "__proto__"],
  ["in a call", { A: [{ text: "x" }, { calls: [{ tool: "t", input: 1, x: 1 }] }] }, "A.1.calls.0", "x"],
  ["beside an error", { A: [{ error: "network", text: "x" }] }, "A.0", "text"],
  ["beside waitFor", { A: [{ waitFor: { B: "failed" }, delayMs: 1 }] }, "A.0", "delayMs"],
  ["beside hang", { A: [{ hang: true, delayMs: 1 }] }, "A.0", "delayMs"],
])("an unknown key %s is refused with the path to it", (_where, script, path, key) => {
  const issues = Script.safeParse(script).error?.issues;
  expect(issues).toMatchObject([{ code: "unrecognized_keys", keys: [key] }]);
  expect(issues?.[0]?.path.join(".")).toBe(path);
});

test.each([
  [{ A: 1 }, /^A: .*expected array/],
  [{ A: [null] }, /^A.0: expected an entry with one of: calls, waitFor, error, hang, compact, text$/],
  [{ A: [{}] }, /^A.0: expected an entry/],
  [{ A: [[]] }, /^A.0: expected an entry/],
  [{ A: [{ calls: [] }] }, /^A.0.calls: Too small/],
  [{ A: [{ calls: [{ tool: "", input: {} }] }] }, /^A.0.calls.0.tool: Too small/],
  [{ A: [{ calls: [{ tool: "t" }] }] }, /^A.0.calls.0.input: expected a JSON value$/],
  [{ A: [{ waitFor: {} }] }, /^A.0.waitFor: names no member$/],
  [{ A: [{ waitFor: { B: "asleep" } }] }, /^A.0.waitFor.B: Invalid option/],
  [{ A: [{ error: "tired" }] }, /^A.0.error: Invalid option/],
  [{ A: [{ hang: false }] }, /^A.0.hang: /],
  [{ A: [{ text: "x", delayMs: -1 }] }, /^A.0.delayMs: Too small/],
  [{ A: [{ text: "x", delayMs: 0.5 }] }, /^A.0.delayMs: /],
  [{ A: [{ text: "x", delayMs: 2 ** 31 }] }, /^A.0.delayMs: Too big/],
  [[], /^: expected a mapping of names$/],
])("%j is refused where it is wrong", (script, fault) => {
  expect(faults(script)).toEqual([expect.stringMatching(fault)]);
});
