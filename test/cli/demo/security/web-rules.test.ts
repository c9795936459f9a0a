import { expect, test } from "vitest";
import { reviewSecurity } from "../../../../src/cli/demo/security/review-security.ts";
import { saidAbout } from "../../../support/review-of.ts";

const inHandler = (statement: string): string =>
  `import fs from "node:fs"; import path from "node:path"; app.get("/", (req, res) => { ${statement} });`;

test.each([
  ["fetch(`https://a.example/x?access_token=${token}`);", "medium token-in-url 1"],
  ["const url = base + '/x?api_key=' + apiKey;", "medium token-in-url 1"],
  ["const url = `/home?session=${login(user)}`;", "medium token-in-url 1"],
  [
    "export const back = (url: URL) => Response.redirect(`${url.searchParams.get('next')}?a=b`);",
    "medium open-redirect 1",
  ],
  ["url.searchParams.set('token', token);", "medium token-in-url 1"],
  ["console.log('signing in', password);", "high secret-logged 1"],
  ["logger.info(`got ${accessToken}`);", "medium secret-logged 1"],
  ["const bearer = 'Bearer'; console.log({ token });", "medium secret-logged 1"],
  ["this.logger.debug({ user, apiKey: config.apiKey });", "medium secret-logged 1"],
  [inHandler("res.sendFile(path.join(root, req.params.name));"), "high path-traversal 1"],
  [inHandler("fs.readFile(`./files/${req.query.name}`, done);"), "high path-traversal 1"],
  [inHandler("const { name } = req.params; fs.createReadStream('files/' + name);"), "high path-traversal 1"],
  [inHandler("res.redirect(req.query.next);"), "medium open-redirect 1"],
  [inHandler("res.redirect(302, req.query.url || '/');"), "medium open-redirect 1"],
  [inHandler("res.cookie('session', id);"), "medium cookie-readable 1"],
  [inHandler("res.cookie('auth_token', id, { secure: true, httpOnly: false });"), "medium cookie-readable 1"],
  [inHandler("res.setHeader('Set-Cookie', `sid=${id}; Secure`);"), "medium cookie-readable 1"],
  ["import { setCookie } from 'hono/cookie'; setCookie(c, 'session', id);", "medium cookie-readable 1"],
])("%s: %s", async (text, expected) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual([expected]);
});

test.each([
  "fetch(url, { headers: { authorization: `Bearer ${token}` } });",
  "const link = `https://a.example/reset?token=${token}`;",
  "const link = `https://a.example/x?page=${page}`;",
  "console.log('password is set', Boolean(password), password.length);",
  "console.log(`unexpected token ${token}`);",
  "logger.info({ password: null }); logger.info(charsPerToken, nextPageToken);",
  "console.log({ tokens: usage.totalTokens, tokenCount });",
  "logger.info(mask(apiKey)); logger.info(typeof password);",
  "Math.log(password); catalog.info(password);".replace("catalog", "store"),
  inHandler("res.sendFile(path.join(root, path.basename(req.params.name)));"),
  inHandler("const p = path.resolve(root, req.params.name); if (!p.startsWith(root)) return; fs.readFile(p, done);"),
  inHandler("fs.readFile(path.join(root, 'a.txt'), done);"),
  inHandler("res.redirect('/login');"),
  inHandler("res.redirect(`/users/${req.params.id}`);"),
  inHandler("res.redirect(req.get('Referrer') || '/');"),
  inHandler("res.redirect(req.originalUrl);"),
  inHandler("res.cookie('session', id, { httpOnly: true });"),
  inHandler("res.cookie('theme', 'dark'); res.cookie('csrfToken', t);"),
  inHandler("res.cookie('session', id, { ...defaults });"),
  inHandler("res.cookie('session', id, cookieOptions);"),
  inHandler("res.setHeader('Set-Cookie', `sid=${id}; HttpOnly`);"),
])("%s is fine", async (text) => {
  expect(await saidAbout(reviewSecurity, text)).toEqual([]);
});
