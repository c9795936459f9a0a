import { expect, test } from "vitest";
import { collisionKey, nameToken, refuseName } from "../../src/protocol/names.ts";

const visible = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

test.each(
  [
    ["Lead", "Le\u00adad"],
    ["Lead", "L\u200bead"],
    ["Lead", "\ufeffLead"],
    ["Ann", "A\u200dnn"],
    ["Ann", "Ann\u3164"],
    ["Straße", "STRASSE"],
    ["ΣΣ", "σσ"],
  ].map(([a = "", b = ""]) => [visible(a), visible(b), a, b]),
)("%s and %s look alike, and collide", (_a, _b, first, second) => {
  expect(collisionKey(second ?? "")).toBe(collisionKey(first ?? ""));
});

test.each(["\u200b", "\ufeff", "\u00ad\u00ad", "\u3164"].map((name) => [visible(name), name]))(
  "%s shows nothing, and is no name",
  (_shown, name) => {
    expect(refuseName(name ?? "", { reserved: true })?.code).toBe("bad_name");
  },
);

test("nobody but the lead can be called so, however it is written", () => {
  expect(refuseName("Le\u00adad", { reserved: true })?.code).toBe("reserved_name");
});

test("a family is a name, and keeps its joiners in its token", () => {
  const family = "👩\u200d👩\u200d👧";
  expect(refuseName(family, { reserved: true })).toBeNull();
  expect(nameToken(family)).toContain("_e2_80_8d");
});
