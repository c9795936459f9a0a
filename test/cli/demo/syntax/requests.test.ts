import { expect, test } from "vitest";
import { isRequestInput } from "../../../../src/cli/demo/syntax/requests.ts";
import { moduleOf } from "../../../support/project-of.ts";

const inHandler = (statements: string): boolean => {
  const module = moduleOf(`app.get("/", async (req, res, c, ctx) => { ${statements} });`);
  const call = module
    .nodes("CallExpression")
    .find(({ callee }) => callee.type === "Identifier" && callee.name === "use");
  return isRequestInput(call!.arguments[0]!, module);
};

test.each([
  "use(req.params.id)",
  "use(req.body)",
  "use(req.headers['x-a'])",
  "use(`a/${req.query.q}`)",
  "const { id } = req.params; use(id)",
  "const id = req.params.id as string; use('a' + id)",
  "const { body: { name } } = req; use(name)",
  "use(c.req.query('q'))",
  "use(await c.req.json())",
  "use(ctx.request.body.a)",
  "use(ctx.query.a ?? 'b')",
  "use(new URL(req.url).searchParams.get('q'))",
  "const url = new URL(req.url, 'http://a'); use(url.searchParams.get('q'))",
  "use(req.params.id.trim().split(',')[0])",
  "use(String(req.query.a))",
])("%s is what a client sent", (statements) => {
  expect(inHandler(statements)).toBe(true);
});

test.each([
  "use(req.method)",
  "use(Number(req.params.id))",
  "use(parseInt(req.params.id, 10))",
  "use(encodeURIComponent(req.query.q))",
  "use(Schema.parse(req.body))",
  "use(sanitizeName(req.body.name))",
  "use(req.params.id.length)",
  "use(res.locals.a)",
  "use(new URL(req.url).toString())",
  "use(new URL(req.url).host)",
])("%s is not", (statements) => {
  expect(inHandler(statements)).toBe(false);
});

test.each([
  ["function f(address: URL) { use(address.searchParams.get('q')); }", true],
  ["function f(url) { use(url.search); }", true],
  ["function f(url: string) { use(url.search); }", false],
  ["const url = new URL('http://a.example'); use(url.searchParams.get('q'));", false],
])("%s uses what a client sent: %s", (text, expected) => {
  const module = moduleOf(text);
  const call = module
    .nodes("CallExpression")
    .find(({ callee }) => callee.type === "Identifier" && callee.name === "use");
  expect(isRequestInput(call!.arguments[0]!, module)).toBe(expected);
});

test("only a parameter is a request, whatever a constant is called", () => {
  const module = moduleOf("const req = { params: { id: 'a' } }; use(req.params.id);");
  const call = module.nodes("CallExpression")[0]!;
  expect(isRequestInput(call.arguments[0]!, module)).toBe(false);
});
