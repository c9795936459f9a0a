/**
 * A property of any thrown value, or undefined. What is thrown may be no object at all, a revoked proxy, or have getters
 * that throw; whoever reports an error must not fail over it.
 */
export const safeRead = (value: unknown, key: string): unknown => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    const property: unknown = Reflect.get(value, key);
    return property;
  } catch {
    // A property that can't be read is one that isn't there, for a report.
    return undefined;
  }
};

/** A property that is a text, cut to what a report looks at; a giant one costs no more than a small one. */
export const safeReadText = (value: unknown, key: string): string | undefined => {
  const property = safeRead(value, key);
  return typeof property === "string" ? property.slice(0, textMax) : undefined;
};

/** How many characters of any text of an error are looked at. */
export const textMax = 4_000;
