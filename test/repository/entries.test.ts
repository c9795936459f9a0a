import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { importsOf } from "./checks/imports.ts";
import { ROOT } from "./checks/source-file.ts";

interface Exports {
  readonly exports: Readonly<Record<string, string | { readonly "@teamchart/source": string }>>;
}

/** Every module that is loaded with a source file, by its path; packages by their names. */
function loadedWith(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { specifier } of importsOf({ path, text: readFileSync(posix.join(ROOT, path), "utf8") })) {
    if (specifier === null) continue;
    if (specifier.startsWith(".")) loadedWith(posix.join(posix.dirname(path), specifier), seen);
    else seen.add(specifier);
  }
  return seen;
}

test("teamchart/nats alone loads the client of NATS", () => {
  // A file of the repository, with the shape that npm gives it.
  const { exports } = JSON.parse(readFileSync(posix.join(ROOT, "package.json"), "utf8")) as Exports;
  const loading = Object.entries(exports)
    .filter(([, target]) => typeof target === "object")
    .filter(([, target]) => {
      const path = typeof target === "string" ? target : target["@teamchart/source"];
      return [...loadedWith(posix.normalize(path))].some((each) => each.startsWith("@nats-io/"));
    });
  expect(loading.map(([name]) => name)).toEqual(["./nats"]);
});
