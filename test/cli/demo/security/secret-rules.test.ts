import fc from "fast-check";
import { expect, test } from "vitest";
import { reviewSecurity } from "../../../../src/cli/demo/security/review-security.ts";
import { AWS_EXAMPLE_KEY, AWS_KEY, GITHUB_TOKEN, PRIVATE_KEY_TEXT } from "../../../support/made-up-keys.ts";
import { projectOf } from "../../../support/project-of.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  "const password = 'hunter2!';",
  "const DB_PASSWORD = `S3cret-Value`;",
  "const config = { apiKey: '9f8a7b6c5d4e3f2a1b0c' };",
  "class A { #jwtSecret = 'k8#mQz!pL2'; }",
  "config.auth.clientSecret = 'k8#mQz!pL2';",
  "function connect(password = 'P4ssw0rd!') {}",
  "const secret = process.env.JWT_SECRET ?? 'k8#mQz!pL2';",
  "const key = process.env.SESSION_SECRET || 'k8#mQz!pL2';",
  "if (password === 'hunter2!') login();",
  "import jwt from 'jsonwebtoken'; jwt.sign({ id }, 'shhhhh');",
  "import { createHmac } from 'node:crypto'; createHmac('sha256', 'shhhhh');",
  `const id = "${AWS_KEY}";`,
  `fetch(url, { headers: { authorization: \`Bearer ${GITHUB_TOKEN}\` } });`,
  `const pem = "${PRIVATE_KEY_TEXT}";`,
  "const url = 'postgres://app:k8mQzpL2@db.internal.net/app';",
])("%s has a secret in it", async (text) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual(["high hardcoded-secret 1"]);
});

test.each([
  "const password = 'changeme';",
  "const secret = process.env.SECRET ?? 'test-secret';",
  "const dbPassword = 'postgres';",
  "const url = 'postgres://postgres:postgres@localhost:5432/app';",
  `const id = "${AWS_EXAMPLE_KEY}";`,
])("%s has a stand-in in it", async (text) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual(["low hardcoded-secret 1"]);
});

test.each([
  "const password = process.env.PASSWORD;",
  "const password = process.env.PASSWORD ?? '';",
  "const token = await login();",
  "const apiKey = 'YOUR_API_KEY';",
  "const apiKey = '<your key>';",
  "const token = '***';",
  "const passwordField = 'input[name=password]';",
  "const messages = { password: 'Password', token: 'auth.token.missing' };",
  "const PASSWORD_REGEX = 'a1!bcdefgh2';",
  "const tokenUrl = 'https://a.example/oauth2/token';",
  "const input = <input type='password' name='password1' />;",
  "const errors = { invalid_token: 'The token is not valid anymore' };",
  "type A = { password: 'a1b2c3d4' };",
  "if (token === '=>') next();",
  "const token = { type: 'punctuator2' };",
  "const STORAGE = { tokenKey: 'app-token-v2' };",
  "const secretName = 'prod/db/password2';",
  "const publicKey = 'a1b2c3d4e5f6a7b8c9d0';",
  "const primaryKey = 'user_id_2'; const cacheKey = 'v2:users:list';",
  "const PEM = /-----BEGIN PRIVATE KEY-----/; const mark = '-----BEGIN PRIVATE KEY-----';",
  "import { createHmac } from 'node:crypto'; createHmac('sha256', secret);",
  "const url = `postgres://app:${password}@db.internal.net/app`;",
  "const help = 'mysql://user:password@host/db';",
])("%s has none", async (text) => {
  expect(await saidAbout(reviewSecurity, text, "src/a.tsx")).toEqual([]);
});

test("tests may invent passwords, but not hold keys that an issuer gave out", async () => {
  const text = `const password = 'hunter2!';\nconst key = "${PRIVATE_KEY_TEXT}";\nconst id = "${AWS_KEY}";\n`;
  expect(await saidAbout(reviewSecurity, text, "test/a.test.ts")).toEqual(["medium hardcoded-secret 3"]);
});

const secretText = () =>
  fc.string({ unit: fc.constantFrom(..."abcXYZ012!#$&*.-_é\"'`\\n".split("")), minLength: 8, maxLength: 30 });

test("no finding ever shows the secret that it is about", async () => {
  await fc.assert(
    fc.asyncProperty(secretText(), fc.constantFrom("password", "apiToken", "PRIVATE_KEY"), async (secret, name) => {
      const text = `const a = 1;\nconst ${name} = ${JSON.stringify(secret)}; use(eval(a + ${name}));\n`;
      const project = await projectOf({ "src/a.ts": text });
      const { findings } = reviewSecurity(project);
      fc.pre(findings.some(({ rule }) => rule === "hardcoded-secret"));
      const shown = findings.filter(({ rule }) => rule === "hardcoded-secret").map((one) => JSON.stringify(one));
      expect(shown.every((one) => !one.includes(JSON.stringify(secret).slice(1, -1)))).toBe(true);
    }),
  );
});

test("a secret is masked in the evidence of other findings on its line too", async () => {
  const { findings } = reviewSecurity(await projectOf({ "src/a.ts": "const password = 'hunter2!'; eval(a);" }));
  expect(findings.map(({ rule, evidence }) => [rule, evidence])).toEqual([
    ["dynamic-code", "const password = '***'; eval(a);"],
    ["hardcoded-secret", "const password = '***'; eval(a);"],
  ]);
});

test.each([
  ["export const f = (password: string) => check(password);", ["auth 1 handles password"]],
  ["\nconst key = process.env.JWT_SECRET;", ["auth 2 handles JWT_SECRET"]],
  ["import jwt from 'jsonwebtoken';\njwt.verify(a, b);", ["auth 2 calls jsonwebtoken.verify"]],
  ["const clientSecret = 'k8#mQz!pL2';", ["auth 1 handles clientSecret", "secret 1 has a secret written into it"]],
  ["app.get('/', (req, res) => {\n  use(req.query.a);\n});", ["entry_point 2 reads what a client sent"]],
])("%s tells the others %j", async (text, expected) => {
  const { hints } = reviewSecurity(await projectOf({ "src/a.ts": text }));
  expect(hints.map((hint) => `${hint.topic} ${hint.line} ${hint.text}`)).toEqual(expected);
});

test.each([
  "import { judgePassword } from './a.ts'; judgePassword(a);",
  "const maskSecret = (a) => a; maskSecret(b);",
  "type A = { password: string }; const API_KEY = /x/; const charsPerToken = 4;",
  "for (const token of tokens) use(token);",
])("%s handles no credentials", async (text) => {
  expect(reviewSecurity(await projectOf({ "src/a.ts": text })).hints).toEqual([]);
});
