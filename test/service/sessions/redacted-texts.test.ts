import fc from "fast-check";
import { Subject } from "rxjs";
import { expect, test } from "vitest";
import { createRedactor } from "../../../src/actors/recording/redactor.ts";
import type { TextPiece } from "../../../src/actors/runs/text-stream.ts";
import { redactedTexts } from "../../../src/service/sessions/redacted-texts.ts";

const secrets = [
  "sk-abcdefghijklmnop1234",
  "canary-secret-9921",
  "password = hunter2xyz9",
  "Bearer abcdefghijkl123456",
];
const words = fc.array(fc.constantFrom("one", "two", "three.", "é", "項目", ...secrets), {
  minLength: 1,
  maxLength: 40,
});

/** What comes out of `text` when it is cut at these places. */
function passed(text: string, cuts: readonly number[]): string {
  const texts$ = new Subject<TextPiece>();
  let out = "";
  redactedTexts(texts$, createRedactor({ secrets: ["canary-secret-9921"] })).subscribe((piece) => (out += piece.text));
  let from = 0;
  for (const at of [...cuts.toSorted((a, b) => a - b), text.length]) {
    texts$.next({ actor: "A", run: 1, text: text.slice(from, at) });
    from = Math.max(from, at);
  }
  return out;
}

test("however a text is cut, no secret of it comes out, and what comes out is its beginning, masked", () => {
  const masked = createRedactor({ secrets: ["canary-secret-9921"] });
  fc.assert(
    fc.property(words, fc.array(fc.nat(800), { maxLength: 30 }), (parts, cuts) => {
      const text = parts.join(" ");
      const out = passed(
        text,
        cuts.filter((at) => at < text.length),
      );
      for (const secret of ["sk-abcdefghijklmnop1234", "canary-secret-9921", "hunter2xyz9", "abcdefghijkl123456"]) {
        expect(out).not.toContain(secret);
      }
      expect(masked.text(text).startsWith(out)).toBe(true);
    }),
  );
});

test("texts of two runs at once keep apart", () => {
  const texts$ = new Subject<TextPiece>();
  const out: TextPiece[] = [];
  redactedTexts(texts$, createRedactor()).subscribe((piece) => void out.push(piece));
  const long = "a b c d e f g h i j";
  for (const word of long.split(" ")) for (const actor of ["A", "B"]) texts$.next({ actor, run: 1, text: `${word} ` });
  const of = (actor: string): string =>
    out
      .filter((piece) => piece.actor === actor)
      .map(({ text }) => text)
      .join("");
  expect(of("A")).toBe(of("B"));
  expect(long.startsWith(of("A").trimEnd())).toBe(true);
  expect(of("A").length).toBeGreaterThan(3);
});

test("a text without words, as of a script without spaces, comes out too", () => {
  const out = passed(
    "漢字".repeat(3_000),
    Array.from({ length: 600 }, (_, index) => index * 10),
  );
  expect(out.length).toBeGreaterThan(4_000);
});
