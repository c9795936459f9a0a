import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["export const copy = (a) => JSON.parse(JSON.stringify(a));", "low json-clone 1"],
  ["for (const a of b) use(JSON.parse(JSON.stringify(a)));", "medium json-clone 1"],
  [
    "const cache = new Map(); export function load(key) { if (!cache.has(key)) cache.set(key, make(key)); return cache.get(key); }",
    "low unbounded-cache 1",
  ],
  ["const cache = {}; export const load = (key) => cache[key] ?? (cache[key] = make(key));", "low unbounded-cache 1"],
  [
    "const sessions = new Map(); export const login = (user) => { const t = make(); sessions.set(t, user); }; export const userOf = (t) => sessions.get(t);",
    "low unbounded-cache 1",
  ],
  [
    "const seen = new Set(); app.get('/', (req, res) => { const k = req.ip; if (!seen.has(k)) seen.add(k); });",
    "medium unbounded-cache 1",
  ],
  ["export function start() { setInterval(tick, 1000); }", "medium timer-never-cleared 1"],
  ["class A { start() { this.timer = setInterval(tick, 1000); } }", "medium timer-never-cleared 1"],
  ["setInterval(tick, 1000);", "low timer-never-cleared 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([expected]);
});

test.each([
  "const a = structuredClone(b); const c = JSON.parse(JSON.stringify(b, replacer));",
  "const cache = new Map(); export function load(key) { if (cache.size > 9) cache.clear(); cache.set(key, make(cache.get(key))); }",
  "const cache = new WeakMap(); export function load(key) { if (!cache.has(key)) cache.set(key, make(key)); return cache.get(key); }",
  "const handlers = new Map(); export function register(name, fn) { if (handlers.has(name)) throw new Error(); handlers.set(name, fn); }",
  "const names = new Map([['a', 1]]); export const find = (key) => names.get(key);",
  "export function f(list) { const seen = new Set(); return list.filter((a) => !seen.has(a) && seen.add(a)); }",
  "const cache = new LRUCache({ max: 10 }); export function load(key) { if (!cache.has(key)) cache.set(key, 1); }",
  "const cache = new Map(); use(cache); export function load(key) { if (!cache.has(key)) cache.set(key, 1); }",
  "export function start() { const timer = setInterval(tick, 1000); return () => clearInterval(timer); }",
  "class A { start() { this.timer = setInterval(tick, 1000); } stop() { clearInterval(this.timer); } }",
  "export function start() { setInterval(tick, 1000).unref(); }",
  "export const start = () => setInterval(tick, 1000);",
  "export function start() { setTimeout(tick, 1000); }",
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([]);
});
