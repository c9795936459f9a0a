import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderErrorsDoc } from "../../scripts/errors-doc/render-errors-doc.ts";
import { errorCatalogue } from "../../src/errors/index.ts";
import { ROOT } from "./checks/source-file.ts";

const written = readFileSync(join(ROOT, "docs/errors.md"), "utf8");

test("docs/errors.md is what the catalogue says; `npm run docs:errors` brings it up to date", () => {
  expect(written).toBe(renderErrorsDoc());
});

test.each(Object.keys(errorCatalogue))("docs/errors.md has a section for %s", (code) => {
  expect(written).toContain(`\n### \`${code}\`\n`);
});
