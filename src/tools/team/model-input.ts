import { jsonSchema, type JSONSchema7, type Schema } from "ai";
import { z } from "zod";
import { refusal, type Refusal } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import { shapeOf, tidyInput, type JsonShape } from "./tidy-input.ts";

/** A value, or everything that is wrong. */
export type Answer<Value> = { readonly ok: Value } | { readonly refused: readonly Refusal[] };

/** The input of a tool: what a model is shown, and how its arguments are read. */
export interface ModelInput<Given, Value> {
  /**
   * The JSON schema for the model. It checks nothing: an error of the SDK would send the whole input back to the model,
   * so `read` judges it, with a line for each fault.
   */
  readonly inputSchema: Schema<Given>;
  read(given: unknown): Answer<Value>;
}

const keyCharsMax = 60;

/** The JSON schema of the input side, without what no model needs. */
const jsonOf = (schema: z.ZodType): JSONSchema7 & JsonShape => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    reused: "inline",
    override: ({ jsonSchema: node }) => {
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
    },
  });
  // Draft 7 was asked for; zod types every draft as one, and no schema here has a list of types.
  return json as JSONSchema7 & JsonShape;
};

const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const each of Object.values(Object.freeze(value))) deepFreeze(each);
  }
  return value;
};

const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (place, key) => (typeof key === "number" ? `${place}[${key}]` : `${place}${place === "" ? "" : "."}${String(key)}`),
    "",
  ) || "the input";

/** The names of the fields at a place of the schema. */
function fieldsAt(shape: JsonShape, path: readonly PropertyKey[]): readonly string[] {
  let at: JsonShape | undefined = shape;
  for (const key of path) at = typeof key === "number" ? at?.items : at && shapeOf(at, String(key));
  return Object.keys(at?.properties ?? {});
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  // Any object can be asked for any key; what is not there is undefined.
  for (const key of path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at;
}

function problemsOf(issue: z.core.$ZodIssue, shape: JsonShape, value: unknown): Refusal[] {
  const what = placeOf(issue.path);
  if (issue.code !== "unrecognized_keys") {
    const problem = valueAt(value, issue.path) === undefined ? "it is missing" : issue.message;
    return [refusal("bad_input", { what, problem })];
  }
  const known = fieldsAt(shape, issue.path);
  return issue.keys.map((key) => {
    const nearest = nearestName(key, known);
    const hint = nearest === null ? `; it has ${known.join(", ") || "no fields"}` : `; the nearest is "${nearest}"`;
    return refusal("bad_input", { what, problem: `there is no field "${key.slice(0, keyCharsMax)}"${hint}` });
  });
}

/** What `make` makes, made when it is asked for and then kept. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
};

/**
 * The input of a tool from its schema. `shown` is the schema for the model when it is to see fewer fields than `schema`
 * accepts. JSON schemas are made when a model is first shown them: they take milliseconds, and a system may run no model.
 */
export function modelInput<Value, Given>(
  schema: z.ZodType<Value, Given>,
  shown: z.ZodType = schema,
): ModelInput<Given, Value> {
  const shapeOfInput = once((): JsonShape => jsonOf(schema));
  return Object.freeze({
    inputSchema: Object.freeze(jsonSchema<Given>(once(() => deepFreeze(jsonOf(shown))))),
    read(given: unknown): Answer<Value> {
      const shape = shapeOfInput();
      const value = tidyInput(given, shape);
      const parsed = schema.safeParse(value);
      if (parsed.success) return { ok: parsed.data };
      return { refused: parsed.error.issues.flatMap((issue) => problemsOf(issue, shape, value)) };
    },
  });
}
