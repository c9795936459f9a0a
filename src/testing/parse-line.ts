import { ZodError } from "zod";

/** The part of a zod schema that a line is parsed with. */
export interface LineSchema<Line> {
  safeParse(value: unknown): { success: true; data: Line } | { success: false; error: unknown };
}

/** A line as an object: from its text, or as it was given. Null when it is none. */
export function parseLine(line: unknown): Readonly<Record<string, unknown>> | null {
  let value = line;
  if (typeof line === "string") {
    try {
      value = JSON.parse(line);
    } catch {
      // What is no JSON is no object; the caller says where it stands.
      return null;
    }
  }
  // An object that is no list has fields that are read by name.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** What is wrong, with its field where one is known. */
export function faultText(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    const field = issue?.path.join(".") ?? "";
    return `${field === "" ? "" : `${field}: `}${issue?.message ?? "it is no such line"}`;
  }
  return error instanceof Error ? error.message : String(error);
}
