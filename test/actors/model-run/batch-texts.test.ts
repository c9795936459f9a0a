import { expect, test } from "vitest";
import { batchTexts } from "../../../src/actors/model-run/batch-texts.ts";
import type { Mail } from "../../../src/machines/index.ts";

const mail = (seq: number, more: Partial<Mail>): Mail => ({
  id: `m${seq}`,
  seq,
  number: seq,
  from: "A",
  kind: "text",
  notice: null,
  about: null,
  reason: null,
  bytes: 1,
  hops: 0,
  broadcast: false,
  body: null,
  wakes: true,
  at: 0,
  ...more,
});
const said = (seq: number): Mail => mail(seq, { from: "user", kind: "system", notice: "user_said" });
const contentOf = ({ id, notice }: Mail): string => (notice === "user_said" ? `user ${id}` : `mail ${id}`);

test.each([
  ["before and after", [mail(1, {}), said(2), mail(3, {})], ["mail m1", "user m2", "mail m3"]],
  ["first", [said(1), mail(2, {}), mail(3, {})], ["user m1", "mail m2", "mail m3"]],
  ["twice in a row", [mail(1, {}), said(2), said(3)], ["mail m1", "user m2", "user m3"]],
] as const)("what the user says keeps its place among mail: %s", (_where, batch, order) => {
  const text = batchTexts(batch, { contentOf, now: 0 }).join("\n");
  expect(text.match(/(mail|user) m\d/gu)).toEqual(order);
});

test("what the user says stands outside of every frame", () => {
  const texts = batchTexts([mail(1, {}), said(2), mail(3, {})], { contentOf, now: 0 });
  expect(texts).toHaveLength(3);
  expect(texts[1]).toBe("user m2");
});

test("nothing gives nothing", () => {
  expect(batchTexts([], { contentOf, now: 0 })).toEqual([]);
});
