import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import { typeOptions } from "../../protocol/agent-fields.ts";
import type { Limits } from "../../protocol/limits.ts";
import { isObject } from "../is-object.ts";

/** A model as it may be given: a name, or one of the AI SDK. */
export const GivenModel = z.custom<object>(
  (value) => isObject(value) || (typeof value === "string" && value !== ""),
  "expected provider/model, or a model of the AI SDK",
);

const fields: Readonly<Record<string, z.ZodType>> = {
  // A model that is wrong is the fault of the run that calls it.
  ...typeOptions,
  fallbackModel: GivenModel.nullable().optional(),
  compact: z.custom((value) => value === undefined || typeof value === "function", "expected a function"),
};

/** Limits of a session that a type may keep itself shorter than. */
const bounded = ["stepsMax", "turnsMax", "toolResultBytesMax"] as const;

/** Throws `bad_input` for an option of an agent or a lead that can't be what it is, or is more than the session allows. */
export function checkWorkOptions(what: string, options: object, limits: Limits): void {
  for (const [name, schema] of Object.entries(fields)) {
    const value: unknown = Reflect.get(options, name);
    const parsed = schema.safeParse(value);
    const problem = parsed.success ? null : (parsed.error.issues[0]?.message ?? "it is wrong");
    if (problem !== null) throw new TeamError("bad_input", { what: `${what}.${name}`, problem });
  }
  for (const name of bounded) {
    const value: unknown = Reflect.get(options, name);
    if (typeof value !== "number" || value <= limits[name]) continue;
    const problem = `${value} is more than limits.${name}, which is ${limits[name]}; raise that, or leave this out`;
    throw new TeamError("bad_input", { what: `${what}.${name}`, problem });
  }
}
