import { expect, test } from "vitest";
import { reviewPerformance } from "../../../../src/cli/demo/performance/review-performance.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["async function f() { for (const id of ids) await load(id); }", "low await-in-loop 1"],
  ["app.get('/', async (req, res) => { for (const id of ids) await load(id); });", "medium await-in-loop 1"],
  [
    "async function f() { for (let i = 0; i < ids.length; i++) { const a = await load(ids[i]); use(a); } }",
    "low await-in-loop 1",
  ],
  [
    "async function f() { for (const id of ids) await db.query('SELECT 1 FROM a WHERE id = $1', [id]); }",
    "medium query-in-loop 1",
  ],
  [
    "async function f() { return Promise.all(ids.map(async (id) => await User.findById(id))); }",
    "medium query-in-loop 1",
  ],
  [
    "app.get('/', async (req, res) => { for (const a of b) await prisma.user.findUnique({ where: { id: a.id } }); });",
    "high query-in-loop 1",
  ],
  ["for (const a of b) { if (new RegExp(pattern).test(a)) use(a); }", "low regexp-in-loop 1"],
  ["b.filter((a) => new RegExp('^x+$', 'i').test(a));", "low regexp-in-loop 1"],
  ["const all = []; for (const a of b) { all.push(a); all.sort(); }", "low sort-in-loop 1"],
  ["let s = ''; for (const a of b) for (const c of a.d) s += c;", "low text-in-nested-loop 1"],
  ["const r = a.reduce((all, x) => [...all, x], []);", "low copy-in-loop 1"],
  ["const r = a.reduce((all, x) => ({ ...all, [x]: 1 }), {});", "low copy-in-loop 1"],
  ["const r = a.reduce((all, x) => { return all.concat(x); }, []);", "low copy-in-loop 1"],
  ["const r = a.reduce((all, x) => Object.assign({}, all, { [x]: 1 }), {});", "low copy-in-loop 1"],
  ["let r = []; for (const x of a) { r = [...r, x]; }", "low copy-in-loop 1"],
  ["app.get('/', (req, res) => { let r = {}; for (const x of a) r = { ...r, [x]: 1 }; });", "medium copy-in-loop 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([expected]);
});

test.each([
  "async function f() { await Promise.all(ids.map((id) => load(id))); }",
  "async function f() { for await (const id of ids) await load(id); }",
  "async function f() { for (const id of ids) { if (await load(id)) return id; } }",
  "async function f() { let last; for (const id of ids) last = await load(id, last); }",
  "async function f() { for (const step of ['a', 'b']) await run(step); }",
  "async function f() { for (const id of ids) await sleep(id); }",
  "async function f() { for (const part of parts) await stream.write(part); }",
  "async function f() { while (more) await load(page); }",
  "async function f() { for (let attempt = 0; attempt < 3; attempt++) { try { return await load(attempt); } catch {} } }",
  "async function f() { for (const id of ids) { await lock(id); await load(id); } }",
  "async function f() { for (const id of ids) await load(); }",
  "async function f() { await db.query('SELECT 1'); }",
  "async function f() { for (const table of ['a', 'b']) await db.query(table); }",
  "for (const a of b) { if (new RegExp(a).test(c)) use(a); }",
  "let pattern; for (const a of b) { pattern ??= new RegExp(c); use(pattern); }",
  "for (const a of b) { if (/x/.test(a)) use(a); }",
  "for (const a of b) { a.items.sort(); const own = [...a.items]; own.sort(); }",
  "let s = ''; for (const a of b) s += a;",
  "for (const a of b) { let s = ''; for (const c of a) s += c; }",
  "let n = 0; for (const a of b) for (const c of a) n += c;",
  "const r = a.reduce((all, x) => { all.push(x); return all; }, []);",
  "const r = a.reduce((sum, x) => sum + x, 0);",
  "const r = ['a', 'b'].reduce((all, x) => [...all, x], []);",
  "for (const a of b) { const c = [...a.d, 1]; use(c); }",
  "let errors = []; for (const a of b) { try { a(); } catch (e) { errors = [...errors, e]; } }",
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewPerformance, text)).toEqual([]);
});
