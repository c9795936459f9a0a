import { expect, test } from "vitest";
import { requestTexts } from "../../../src/actors/permissions/request-texts.ts";

test("what a request is about is shown whole, with its target and its chains", () => {
  const body = { input: { path: "a" }, target: "a", chains: [["user", "A"]] };
  expect(requestTexts(body)).toEqual({ input: '{"path":"a"}', target: "a", chains: [["user", "A"]] });
});

test("S18: secrets are masked, by their look and by the name of their field", () => {
  const input = { password: "hunter2", command: "curl -H 'Authorization: Bearer abcdefghijklmnop1234'", apiKey: 7 };
  const texts = requestTexts({ input, target: "curl --token=abcdefgh12345678", chains: [] });
  expect(JSON.stringify(texts)).not.toMatch(/hunter2|abcdefghijklmnop1234|abcdefgh12345678/u);
  expect(texts?.input).toContain("curl -H");
});

test("a long text hides no other argument, and all of it is bounded", () => {
  const input = { text: "x".repeat(5_000), path: "src/a.ts" };
  expect(requestTexts({ input, target: null, chains: [] })?.input).toMatch(
    /^\{"text":"x{400}\.\.\. \(4600 characters more\)","path":"src\/a\.ts"\}$/u,
  );
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, "y".repeat(400)]));
  expect(requestTexts({ input: many, target: null, chains: [] })?.input?.length).toBeLessThan(2_100);
});

test.each([null, "text", 7, undefined])("of a body that is none nothing is shown: %j", (body) => {
  expect(requestTexts(body)).toBeUndefined();
});

test("chains that are none are left out, and of many the latest are shown", () => {
  const chains = [...Array.from({ length: 20 }, (_, at) => ["user", `M${at}`]), "evil", [1]];
  const shown = requestTexts({ input: {}, target: null, chains })?.chains ?? [];
  expect(shown.at(-1)).toEqual(["user", "M19"]);
  expect(shown.length).toBeLessThanOrEqual(9);
});
