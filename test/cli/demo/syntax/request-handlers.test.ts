import { expect, test } from "vitest";
import { requestHandlers } from "../../../../src/cli/demo/syntax/request-handlers.ts";
import { moduleOf } from "../../../support/project-of.ts";

const labels = (text: string): string[] => requestHandlers(moduleOf(text)).map(({ label }) => label);

test.each([
  ["app.get('/a', (x) => x);", ["GET /a"]],
  ["router.post('/a', guard, async (x, y) => y); function guard(p) {}", ["POST /a", "POST /a"]],
  ["app.use((x, y, z) => z());", ["middleware"]],
  ["import { createServer } from 'node:http'; createServer((a, b) => b.end());", ["http.createServer"]],
  ["export const list = (req, res) => res.json([]);", ["list"]],
  ["export async function GET(request: Request) {}", ["GET"]],
  ["export default { async fetch(request) {} };", ["fetch"]],
  ["this.show = (req, res) => {};", ["show"]],
  ["export class C { read(ctx, next) {} }", ["read"]],
])("%s serves requests as %j", (text, expected) => {
  expect(labels(text)).toEqual(expected);
});

test.each([
  "map.get('/a', () => 1);",
  "app.get('name', () => 1);",
  "const visit = (context, node) => node;",
  "const send = (request) => request;",
  "import { createServer } from 'vite'; createServer({});",
])("%s serves none", (text) => {
  expect(labels(text)).toEqual([]);
});
