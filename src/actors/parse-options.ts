import { z } from "zod";
import { didYouMean, refusal, TeamError, type Refusal } from "../errors/index.ts";
import { nearestName } from "../protocol/names.ts";

/** Most faults that one error lists. */
const problemsMax = 20;

/**
 * Parses an object of options strictly, so that a typo is no option left out in silence: an unknown key is `bad_input`
 * with the nearest known one, and so is a value of the wrong type. `null` is an object's wrong type too.
 */
export function parseOptions<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems: Refusal[] = parsed.error.issues.flatMap((issue) => {
    const path = [what, z.core.toDotPath(issue.path)].filter((part) => part !== "").join(".");
    if (issue.code !== "unrecognized_keys") return refusal("bad_input", { what: path, problem: issue.message });
    const known = keysAt(schema, issue.path);
    return issue.keys.map((key) => refusal("bad_input", { what: `${path}.${key}`, problem: unknownKey(key, known) }));
  });
  throw TeamError.from(problems.slice(0, problemsMax));
}

/** The keys that the object at `path` may have. */
function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = schema;
  for (const key of path) {
    at = at instanceof z.ZodObject ? at.shape[String(key)] : undefined;
    while (at instanceof z.ZodOptional) at = at.unwrap();
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unknownKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(nearestName(key, known));
  return `there is no such option${hint}; known are ${known.join(", ")}`;
}
