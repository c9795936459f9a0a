const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** A list or an object whose items were changed, or itself when none was. */
function withItems(value: object): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((each: unknown) => wellFormed(each));
    return items.some((each, index) => each !== value[index]) ? items : value;
  }
  // Bytes and addresses hold no text of anybody.
  if (!isPlain(value)) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]): [string, unknown] => {
    const [name, changed] = [key.toWellFormed(), wellFormed(item)];
    isChanged ||= name !== key || changed !== item;
    return [name, changed];
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

/**
 * The same value without halves of characters: each is replaced by U+FFFD, in texts at any depth and in keys. A text that
 * was cut in the middle of an emoji holds one, and providers refuse the whole request for it, again with every later step.
 * What holds none is given back as it is, not as a copy.
 */
export function wellFormed<Value>(value: Value): Value {
  // TypeScript does not narrow a type parameter: what was a text is one.
  if (typeof value === "string") return (value.isWellFormed() ? value : value.toWellFormed()) as typeof value;
  // Nothing but such texts is replaced, so the shape is the same.
  return typeof value === "object" && value !== null ? (withItems(value) as Value) : value;
}
