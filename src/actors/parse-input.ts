import { z } from "zod";
import { refusal, TeamError, type Refusal } from "../errors/index.ts";

/** Most faults that one error lists. */
const problemsMax = 20;

/** Parses what a caller gave. Every fault is in the error, with the path to it. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems: Refusal[] = parsed.error.issues.slice(0, problemsMax).map((issue) => {
    const path = z.core.toDotPath(issue.path);
    return refusal("bad_input", { what: path === "" ? what : `${what}.${path}`, problem: issue.message });
  });
  throw TeamError.from(problems);
}
