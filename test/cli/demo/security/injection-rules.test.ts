import { expect, test } from "vitest";
import { reviewSecurity } from "../../../../src/cli/demo/security/review-security.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["db.query('SELECT * FROM users WHERE name = \\'' + name + '\\'');", "high sql-injection 1"],
  ["db.query(`SELECT * FROM users WHERE id = ${id}`);", "high sql-injection 1"],
  ["const sql = `DELETE FROM users WHERE id = ${id}`; await pool.execute(sql);", "high sql-injection 1"],
  ["let sql = 'SELECT * FROM users'; if (a) sql += ' WHERE id = ' + a; db.all(sql);", "high sql-injection 1"],
  ["client.query({ text: `SELECT * FROM a WHERE b = ${c}`, values: [] });", "high sql-injection 1"],
  ["prisma.$queryRawUnsafe(`SELECT * FROM a WHERE b = ${c}`);", "high sql-injection 1"],
  ["app.get('/', (req, res) => db.query(`SELECT * FROM ${req.query.table}`));", "high sql-injection 1"],
  ["db.query(`SELECT * FROM a LIMIT ${limit}`);", "medium sql-injection 1"],
  ["users.find({ $where: `this.id == ${id}` });", "high sql-injection 1"],
  ["el.innerHTML = `<b>${name}</b>`;", "high html-injection 1"],
  ["el.outerHTML += html;", "high html-injection 1"],
  ["el.insertAdjacentHTML('beforeend', row);", "high html-injection 1"],
  ["document.write(text);", "high html-injection 1"],
  ["const a = <div dangerouslySetInnerHTML={{ __html: html }} />;", "high html-injection 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewSecurity, text, "src/a.tsx")).toEqual([expected]);
});

test.each([
  "db.query('SELECT * FROM users WHERE id = $1', [id]);",
  "db.query(sql`SELECT * FROM users WHERE id = ${id}`);",
  "const COLUMNS = 'id, name'; db.query(`SELECT ${COLUMNS} FROM users`);",
  'db.query(`SELECT * FROM "${table}" WHERE id = ?`, [id]);',
  "db.query(`SELECT * FROM users WHERE id IN (${ids.map(() => '?').join(',')})`, ids);",
  "db.query(`SELECT * FROM users LIMIT ${Number(limit)}`);",
  "db.query(`SELECT * FROM users WHERE name = ${db.escape(name)}`);",
  "log.info(`Select a file from ${folder}`); menu.get(`select from ${folder}`);",
  "element.all('select from a' + b);".replace("all", "append"),
  "users.find({ $where: function () { return this.a > 1; } });",
  "function f(limit: number) { db.query(`SELECT * FROM users LIMIT ${limit}`); }",
  "el.innerHTML = '';",
  "let count = 0; el.innerHTML = `Count is ${count}`;",
  "import logo from './logo.svg'; el.innerHTML = `<img src=${logo} />`;",
  "el.innerHTML = '<b>fixed</b>';",
  "el.innerHTML = DOMPurify.sanitize(html);",
  "el.innerHTML = `<b>${escapeHtml(name)}</b>`;",
  "el.textContent = name;",
  "const copy = el.innerHTML; other.innerHTML = el.innerHTML;",
  "const a = <div dangerouslySetInnerHTML={{ __html: '<b>fixed</b>' }} />;",
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewSecurity, text, "src/a.tsx")).toEqual([]);
});
