/**
 * The place where two JSON values differ first, with both sides, or null. Fields that are undefined are absent. Key order
 * does not count.
 */
export function firstDifference(expected: unknown, actual: unknown, path = ""): string | null {
  if (Object.is(expected, actual)) return null;
  if (!isContainer(expected) || !isContainer(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return `${path === "" ? "the value" : path} is ${show(actual)}, not ${show(expected)}`;
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  for (const key of keys) {
    const found = firstDifference(own(expected, key), own(actual, key), path === "" ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const own = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;

const show = (value: unknown): string => (value === undefined ? "missing" : (JSON.stringify(value) ?? "").slice(0, 80));
