/** The part of a JSON schema that says what shape a value has. */
export interface JsonShape {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, JsonShape>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: JsonShape | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

/** The shape of a field; keys come from a model, so only own ones count. */
export const shapeOf = (shape: JsonShape, key: string): JsonShape | undefined =>
  shape.properties !== undefined && Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined;

/** JSON that was written into a string, as some models do with lists and objects; otherwise the string. */
function unquote(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    // No JSON: then it is a text, and the schema judges it.
    return text;
  }
}

/**
 * Reads a model's input the one way it can be meant, before the schema judges it: null, "" and a list of blanks in an
 * optional field are absence, a list or object in a string is that list or object, a name where a list of names belongs
 * is a list of one, digits where a whole number belongs are that number. What could mean two things stays as it is.
 */
export function tidyInput(value: unknown, shape: JsonShape): unknown {
  const { type } = shape;
  if (type === "object") return tidyObject(typeof value === "string" ? unquote(value) : value, shape);
  if (type === "array") return tidyList(value, shape.items ?? {});
  if (typeof value !== "string") return value;
  if (type === "integer" || type === "number") return /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  return value;
}

function tidyObject(value: unknown, shape: JsonShape): unknown {
  if (!isObject(value)) return value;
  const required = new Set(shape.required);
  // `fromEntries` keeps a key `__proto__` a plain key, for the schema to refuse.
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => {
      const expected = shapeOf(shape, key);
      if (expected === undefined) return [[key, field]];
      const isAbsent = field === null || (isBlank(field) && expected.type !== "object") || isBlankList(field, expected);
      return isAbsent && !required.has(key) ? [] : [[key, tidyInput(field, expected)]];
    }),
  );
}

/** A list that holds only blanks says nothing; an empty one says "none". */
const isBlankList = (value: unknown, { type }: JsonShape): boolean =>
  type === "array" && Array.isArray(value) && value.length > 0 && value.every(isNothing);

const isNothing = (item: unknown): boolean => item === null || isBlank(item);

function tidyList(given: unknown, items: JsonShape): unknown {
  const value = typeof given === "string" ? unquote(given) : given;
  if (typeof value === "string") {
    // A text that begins like JSON and is none is a broken list, not a name.
    if (items.type !== "string" || /^\s*[[{]/.test(value)) return value;
    return isBlank(value) ? [] : [value];
  }
  if (!Array.isArray(value)) return value;
  const list: readonly unknown[] = value;
  return (items.type === "string" ? list.filter((item) => !isNothing(item)) : list).map((item) =>
    tidyInput(item, items),
  );
}
