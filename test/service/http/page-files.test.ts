import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageFiles } from "../../../src/service/http/page-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const request = (headers: Record<string, string> = {}): Request => new Request("http://localhost/", { headers });

function builtPage(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "assets"));
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><html><head><script src="./assets/a-1.js"></script></head></html>',
  );
  writeFileSync(join(folder, "assets", "a-1.js"), "export {};");
  writeFileSync(join(folder, "..secret"), "x");
  return folder;
}

test("the page and its files are sent with their types, and the page knows where it is mounted", async () => {
  const files = pageFiles(builtPage(), "/team&chart");
  const index = await files.answer("/", request());
  expect(index?.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await index?.text()).toContain('<base href="/team&amp;chart/">');
  const asset = await files.answer("/assets/a-1.js", request());
  expect(asset?.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(asset?.headers.get("cache-control")).toContain("immutable");
});

test("what was read once is all there is: nothing that a path says is looked for on the disk", async () => {
  const folder = builtPage();
  const files = pageFiles(folder, "");
  await files.answer("/", request());
  rmSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "late.js"), "x");
  expect(await (await files.answer("/assets/a-1.js", request()))?.text()).toBe("export {};");
  for (const path of ["/late.js", "/../package.json", "/assets/../index.html", "//index.html", "/assets", ""]) {
    expect(await files.answer(path, request())).toBeNull();
  }
});

test("a file that a browser has already is not sent again", async () => {
  const files = pageFiles(builtPage(), "");
  const etag = (await files.answer("/", request()))?.headers.get("etag") ?? "";
  expect((await files.answer("/", request({ "if-none-match": etag })))?.status).toBe(304);
});

test("a page that was not built is a sentence that says so", async () => {
  const files = pageFiles(join(temporaryFolder(), "nothing"), "");
  expect(await (await files.answer("/", request()))?.text()).toContain("npm run build");
});
