import { expect, test } from "vitest";
import { isCredentialName, secretKindOf } from "../../../../src/cli/demo/security/secret-names.ts";

test.each([
  ["password", "password"],
  ["DB_PASSWORD", "password"],
  ["userPwd", "password"],
  ["clientSecret", "password"],
  ["accessToken", "token"],
  ["API_KEY", "key"],
  ["apiKeyDefault", "key"],
  ["x-api-key", "key"],
  ["JWT_SECRET_KEY", "key"],
  ["passwordField", null],
  ["tokenUrl", null],
  ["tokens", null],
  ["primaryKey", null],
  ["publicApiKey", null],
  ["secretary", null],
  ["", null],
])("%s promises %s", (name, kind) => {
  expect(secretKindOf(name)).toBe(kind);
});

test.each([
  "password",
  "clientSecret",
  "apiKey",
  "accessToken",
  "SESSION_TOKEN",
  "githubToken",
  "credentials",
  "authtoken",
])("%s is a credential for certain", (name) => {
  expect(isCredentialName(name)).toBe(true);
});

test.each([
  "token",
  "charsPerToken",
  "teamToken",
  "nextPageToken",
  "cancelToken",
  "SessionKey",
  "cookieKey",
  "passwordField",
])("%s need not be one", (name) => {
  expect(isCredentialName(name)).toBe(false);
});
