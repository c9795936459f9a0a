/** Folders of test that mirror nothing in src, and what their tests are about instead. */
const OWN_FOLDERS: ReadonlySet<string> = new Set([
  "cases", // team files run by the built command line
  "inspector", // the page of apps/inspector, in a browser and without one
  "durable", // processes that are killed
  "repository", // the repository itself
]);

/** `member-all-orders` -> `member-all-orders`, `member-all`, `member`: what a test of one aspect may be named after. */
function* stems(name: string): Generator<string> {
  for (let stem = name; stem !== ""; stem = stem.replace(/(?:^|[-.])[^-.]*$/, "")) yield stem;
}

/**
 * Every test that mirrors nothing. test/FOLDER/NAME.test.ts or NAME-aspect.test.ts belongs to FOLDER/NAME of src (or of
 * the root, as for scripts), file or folder. A test may also be about a folder as a whole when that is a part of a layer,
 * and a few folders have a meaning of their own.
 */
export function testPlaceFaults(paths: readonly string[]): readonly string[] {
  const known = new Set<string>();
  for (const path of paths.filter((each) => !each.startsWith("test/"))) {
    const stem = path.replace(/^src\//, "").replace(/\.(?:tsx?|mjs)$/, "");
    for (let at = stem; at !== "." && at !== ""; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "") {
      known.add(at);
    }
  }
  return paths.flatMap((path) => {
    const [, place] = /^test\/(.*)\.test\.tsx?$/.exec(path) ?? [];
    if (place === undefined || OWN_FOLDERS.has(place.split("/")[0] ?? "")) return [];
    const at = place.lastIndexOf("/") + 1;
    const folder = place.slice(0, at);
    const isPart = folder.split("/").length > 2 && known.has(folder.slice(0, -1));
    const isMirror = [...stems(place.slice(at))].some((stem) => known.has(folder + stem));
    return isPart || isMirror ? [] : [`${path}: mirrors nothing in src`];
  });
}
