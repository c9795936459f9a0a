import { expect, test } from "vitest";
import { secretKindOf } from "../../../../src/cli/demo/security/secret-names.ts";

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
