import { expect, test } from "vitest";
import { reviewSecurity } from "../../../../src/cli/demo/security/review-security.ts";
import { saidAbout } from "../../../support/review-of.ts";

test.each([
  ["const agent = new https.Agent({ rejectUnauthorized: false });", "high tls-unchecked 1"],
  ["process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", "high tls-unchecked 1"],
  ["process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = 0;", "high tls-unchecked 1"],
  ["const o = { checkServerIdentity: () => undefined };", "high tls-unchecked 1"],
  [
    "import { createHash } from 'node:crypto'; createHash('md5').update(password).digest('hex');",
    "high weak-password-hash 1",
  ],
  [
    "import crypto from 'crypto'; const hashPassword = (p) => crypto.createHash('sha1').update(p).digest();",
    "high weak-password-hash 1",
  ],
  [
    "import crypto from 'crypto'; crypto.createHash('sha256').update(user.password).digest();",
    "medium weak-password-hash 1",
  ],
  ["const resetToken = Math.random().toString(36).slice(2);", "high insecure-random 1"],
  ["function createSessionId() { return String(Math.random()); }", "high insecure-random 1"],
  ["const user = { csrf: `${Math.random()}` };", "high insecure-random 1"],
  ["const id = Math.random().toString(36);", "low insecure-random 1"],
  ["const teamToken = `t${Math.random()}`;", "low insecure-random 1"],
  ["import jwt from 'jsonwebtoken'; const user = jwt.decode(token);", "medium jwt-unverified 1"],
  [
    "import { verify } from 'jsonwebtoken'; verify(token, key, { algorithms: ['HS256', 'none'] });",
    "high jwt-unverified 1",
  ],
  ["import jwt from 'jsonwebtoken'; jwt.verify(token, key, { ignoreExpiration: true });", "medium jwt-unverified 1"],
  ["import { jwtDecode } from 'jwt-decode'; jwtDecode(token);", "low jwt-unverified 1"],
  [
    "import { createHmac } from 'crypto'; const ok = createHmac('sha256', k).update(b).digest('hex') === signature;",
    "medium timing-unsafe-compare 1",
  ],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual([expected]);
});

test.each([
  "const o = { rejectUnauthorized: true };",
  "const o = { rejectUnauthorized: config.strict };",
  "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';",
  "const o = { checkServerIdentity: (host, cert) => verify(host, cert) };",
  "import { createHash } from 'node:crypto'; const etag = createHash('md5').update(body).digest('hex');",
  "import { scrypt } from 'node:crypto'; scrypt(password, salt, 64, done);",
  "const color = Math.random(); const jitterMs = Math.random() * 100;",
  "const token = list[Math.floor(Math.random() * 3)];",
  "if (Math.random() > 0.5) { token = next(); }",
  "const width = Math.random(); const sessionDurationMs = Math.random();",
  "import jwt from 'jsonwebtoken'; function f(t) { const h = jwt.decode(t, { complete: true }); return jwt.verify(t, keyOf(h)); }",
  "import jwt from 'jsonwebtoken'; jwt.verify(token, key, { algorithms: ['HS256'] });",
  "import { createHmac, timingSafeEqual } from 'crypto'; timingSafeEqual(createHmac('sha256', k).update(b).digest(), s);",
  "import { createHash } from 'crypto'; const same = createHash('sha256').update(a).digest('hex') === etag;",
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual([]);
});
