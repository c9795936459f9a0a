import { wildcardMatches } from "./wildcard.ts";

/** The names of a path or of a pattern, without `.` and empty ones; the root has none. */
const namesOf = (path: string): string[] => path.split("/").filter((name) => name !== "" && name !== ".");

/**
 * Whether a path is what a pattern says: `*` stands for any characters of one name, a `**` of its own for any number of
 * names, none too. With `below` a pattern that matches a folder holds for everything in it as well.
 */
export function pathMatches(pattern: string, path: string, { below }: { readonly below: boolean }): boolean {
  const wanted = namesOf(pattern);
  const names = namesOf(path);
  /** Places in `wanted` that can be reached with the names so far. */
  let reached = withSkips(new Set([0]), wanted);
  for (const name of names) {
    if (below && reached.has(wanted.length)) return true;
    const next = new Set<number>();
    for (const at of reached) {
      const want = wanted[at];
      if (want === "**") next.add(at);
      else if (want !== undefined && wildcardMatches(want, name)) next.add(at + 1);
    }
    reached = withSkips(next, wanted);
  }
  return reached.has(wanted.length);
}

/** A `**` may stand for nothing, so the place after it is reached too. */
function withSkips(reached: Set<number>, wanted: readonly string[]): Set<number> {
  for (const at of reached) if (wanted[at] === "**") reached.add(at + 1);
  return reached;
}
