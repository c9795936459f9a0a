import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  [
    "function f(known: string[], all: string[]) { for (const a of all) if (known.includes(a)) use(a); }",
    "low quadratic-scan 1",
  ],
  ["const known = text.split(','); all.filter((a) => known.indexOf(a) === -1);", "low quadratic-scan 1"],
  ["for (const a of all) { const user = users.find((u) => u.id === a.userId); }", "low quadratic-scan 1"],
  [
    "const unique = all.filter((a) => a); unique.forEach((a) => unique.filter((b) => b.key === a.key));",
    "low quadratic-scan 1",
  ],
  [
    "app.get('/', (req, res) => { for (const a of b) for (const c of d) e.some((x) => x.id === a.id); });",
    "medium quadratic-scan 1",
  ],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([expected]);
});

test.each([
  "const known = new Set(list); for (const a of all) if (known.has(a)) use(a);",
  "function f(text: string) { for (const a of all) if (text.includes(a)) use(a); }",
  "for (const a of all) if (a.name.includes('x')) use(a);",
  "const KINDS = ['a', 'b']; for (const a of all) if (KINDS.includes(a)) use(a);",
  "for (const kind of ['a', 'b']) list.find((x) => x.kind === kind);",
  "for (const a of all) { const own = a.items.map(f); if (own.includes(b)) use(a); }",
  "const first = list.find((x) => x.id === id); known.includes(first);",
  "for (const a of all) rows.filter((row) => row.isOpen && row.at > a.at);",
  "while (open.length > 0) { seen.find((x) => x.id === id); }",
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([]);
});
