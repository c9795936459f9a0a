import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notBuilt } from "../../scripts/errors-doc/not-built.ts";
import { renderErrorsDoc } from "../../scripts/errors-doc/render-errors-doc.ts";
import { errorCatalogue } from "../../src/errors/index.ts";
import { readRepository, ROOT } from "./checks/source-file.ts";

const written = readFileSync(join(ROOT, "docs/errors.md"), "utf8");

test("docs/errors.md is what the catalogue says; `npm run docs:errors` brings it up to date", () => {
  expect(written).toBe(renderErrorsDoc());
});

test.each(Object.keys(errorCatalogue))("docs/errors.md has a section for %s", (code) => {
  expect(written).toContain(`\n### \`${code}\`\n`);
});

test("the codes that are marked as not built yet are those that no source names outside the catalogue", () => {
  const sources = readRepository().filter(({ path }) => path.startsWith("src/") && !path.startsWith("src/errors/"));
  const unnamed = Object.keys(errorCatalogue).filter((code) => !sources.some(({ text }) => text.includes(`"${code}"`)));
  expect(unnamed.toSorted()).toEqual(Object.keys(notBuilt).toSorted());
});
