import { expect, test } from "vitest";
import { AWS_KEY } from "../../../support/made-up-keys.ts";
import { maskSecrets } from "../../../../src/cli/demo/security/mask-secrets.ts";

test.each([
  ["password = 'hunter2!'", "password = '***'"],
  ['{ "apiKey": "abcdef123456" }', '{ "apiKey": "***" }'],
  ["DB_PASSWORD=hunter2", "DB_PASSWORD=***"],
  [`x = "${AWS_KEY}"`, 'x = "AKIA***"'],
  ["postgres://app:s3cret@db/x", "postgres://app:***@db/x"],
  [`-----BEGIN EC PRIVATE KEY-----\\nMIIE`, "-----BEGIN EC PRIVATE KEY-----***"],
  ["const token = readToken();", "const token = readToken();"],
  ["password: string", "password: string"],
])("%s is shown as %s", (text, shown) => {
  expect(maskSecrets(text, [])).toBe(shown);
});

test("a secret that was found is masked wherever it stands, the longest first", () => {
  expect(maskSecrets("a hunter2 and hunter2hunter2", ["hunter2", "hunter2hunter2"])).toBe("a *** and ***");
});
