import { z } from "zod";
import { didYouMean, refusal, TeamError, type Refusal } from "../errors/index.ts";
import { nearestName } from "../protocol/names.ts";

/** Most faults that one error lists. */
const problemsMax = 20;

/** What is said of options that the design names and this version does not have. */
export type NotYet = Readonly<Record<string, string>>;

/**
 * Parses an object of options strictly, so that a typo is no option left out in silence: an unknown key is `bad_input`
 * with the nearest known one, and so is a value of the wrong type. `null` is an object's wrong type too.
 */
export function parseOptions<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  what: string,
  notYet: NotYet = {},
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const problems: Refusal[] = parsed.error.issues.flatMap((issue) => {
    const path = [what, z.core.toDotPath(issue.path)].filter((part) => part !== "").join(".");
    if (issue.code !== "unrecognized_keys") return refusal("bad_input", { what: path, problem: issue.message });
    return issue.keys.map((key) =>
      refusal("bad_input", { what: `${path}.${key}`, problem: notYet[key] ?? unknownKey(key, known) }),
    );
  });
  throw TeamError.from(problems.slice(0, problemsMax));
}

function unknownKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(nearestName(key, known));
  return `there is no such option${hint}; known are ${known.join(", ")}`;
}
