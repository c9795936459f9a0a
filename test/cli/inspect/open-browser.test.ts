import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBrowser } from "../../../src/cli/inspect/open-browser.ts";
import { until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A folder with a command of this name that writes down what it was called with. */
function fakeCommand(name: string): {
  readonly env: NodeJS.ProcessEnv;
  readonly calls: string;
  readonly folder: string;
} {
  const folder = temporaryFolder();
  const calls = join(folder, "calls");
  writeFileSync(join(folder, name), `#!/bin/sh\nfor each in "$@"; do printf '%s\\n' "$each" >> "${calls}"; done\n`);
  chmodSync(join(folder, name), 0o755);
  return { env: { PATH: `${folder}:/bin:/usr/bin` }, calls, folder };
}

test.each([
  ["linux", "xdg-open", []],
  ["darwin", "open", []],
  ["win32", "rundll32", ["url.dll,FileProtocolHandler"]],
] as const)("S22: on %s the address is an argument, which no shell reads", async (platform, name, before) => {
  const { env, calls, folder } = fakeCommand(name);
  const url = `http://127.0.0.1:1/#token=a;touch ${folder}/x&touch ${folder}/y$(touch ${folder}/z)\`touch ${folder}/w\`"'`;
  expect(await openBrowser(url, { env, platform })).toBe(true);
  await until(() => existsSync(calls) && readFileSync(calls, "utf8").endsWith("\n"));
  expect(readFileSync(calls, "utf8")).toBe(`${[...before, url].join("\n")}\n`);
  for (const made of ["x", "y", "z", "w"]) expect(existsSync(join(folder, made))).toBe(false);
});

test("a machine without a browser is told by false", async () => {
  expect(await openBrowser("http://127.0.0.1:1/", { env: { PATH: temporaryFolder() }, platform: "linux" })).toBe(false);
});
