import { expect, test } from "vitest";
import { digestOf } from "../../../src/actors/owner/body-store.ts";
import { createCanonicalizer } from "../../../src/machines/kernel/canonical.ts";
import { createCanonicalWriter } from "../../../src/machines/kernel/canonical-writer.ts";
import { playSession } from "../../support/random-session.ts";

test("keys are sorted, undefined fields are absent, and everything else is JSON", () => {
  const value = { b: [1, null, "é\n"], a: { d: true, c: undefined }, ü: -0.5 };
  const text = createCanonicalWriter({}).fields(value);
  expect(text).toBe('{"a":{"d":true},"b":[1,null,"é\\n"],"ü":-0.5}');
  expect(JSON.parse(text)).toEqual({ b: [1, null, "é\n"], a: { d: true }, ü: -0.5 });
});

test("two orders of the same keys give one text", () => {
  const writer = createCanonicalWriter({});
  expect(writer.fields({ a: 1, b: { c: 2, d: 3 } })).toBe(writer.fields({ b: { d: 3, c: 2 }, a: 1 }));
});

test("a long part stands as its digest and is digested once", () => {
  const digested: string[] = [];
  const writer = createCanonicalWriter({ digest: (text) => `D${digested.push(text)}` });
  const long = Array.from({ length: 500 }, (_, index) => index);
  expect(writer.fields({ long })).toBe('{"long":#D1}');
  expect(writer.fields({ long })).toBe('{"long":#D1}');
  expect(digested).toHaveLength(1);
});

test("a text that looks like a digest is not taken for one", () => {
  const writer = createCanonicalWriter({ digest: () => "D" });
  expect(writer.fields({ a: "#D" })).not.toBe(writer.fields({ a: "x".repeat(5_000) }));
});

test("an actor of a session costs what it changed: the roster of a large team is written once", () => {
  const { session } = playSession({ lead: "none", numbers: [0, 1] });
  let bytes = 0;
  const count = (text: string) => {
    bytes += text.length;
    return digestOf(text);
  };
  const writer = createCanonicalizer({ digest: count });
  const order = Array.from({ length: 10_000 }, (_, index) => `m${index}-t1`);
  const large = { ...session, team: { ...session.team!, order } };
  writer.actor(large, "team-1");
  const first = bytes;
  writer.actor({ ...large, team: { ...large.team, since: 5 } }, "team-1");
  expect(first).toBeGreaterThan(50_000);
  expect(bytes).toBe(first);
});

test("the commands of a client count for the input that it sent", () => {
  const { session } = playSession({ lead: "none", numbers: [0, 1] });
  const writer = createCanonicalizer({ digest: digestOf });
  const nobody = { touched: new Set<string>(), replies: [] };
  const by = (client: string) => writer.touched(session, nobody, { client, n: 1 });
  expect(session.clients.has("c")).toBe(true);
  expect(by("c")).toContain('client:"c"={"last":1');
  expect(by("other")).toContain('client:"other"=null');
});
