import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["const a = /^(a+)+$/;", "medium slow-regexp 1"],
  ["const a = new RegExp('^(\\\\w+\\\\s?)*$');", "medium slow-regexp 1"],
  ["app.get('/', (req, res) => /^(a|a)*$/.test(req.query.q));", "high slow-regexp 1"],
  ["app.get('/', (req, res) => new RegExp(req.query.q).test(text));", "high slow-regexp 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([expected]);
});

test.each(["const a = /^a+$/;", "const a = /^(a+b)+$/;", "const a = new RegExp(pattern);", "const a = '(a+)+$';"])(
  "%s is fine",
  async (text) => {
    expect(await saidAbout(reviewPerformance, text)).toEqual([]);
  },
);
