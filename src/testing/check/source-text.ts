/** A key of an object that is written with its name in quotes, with `async` and `*` before it. */
const methodKey =
  /^(async\s+)?(\*\s*)?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*|\d[\d.]*)\s*(?=\()/u;
/** A key that is worked out from names alone, or from one text. */
const computedKey = /^(async\s+)?(\*\s*)?\[(?:[^[\]"'`]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]\s*(?=\()/;

/** What stands as it is: `function`, `class`, and arrows. A method may be called `function`, and reads the same then. */
const isExpression = (text: string): boolean =>
  /^(?:(?:async\s+)?function\b|class\b|(?:async\s*)?\(|(?:async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>)/u.test(
    text,
  );

/**
 * A function as an expression of TypeScript, or null when its text says nothing of it: bound and built-in ones. What was
 * written as a method, `next(ghost) { ... }`, is no expression by itself.
 */
export function functionText(value: unknown): string | null {
  const text = String(value);
  if (typeof value !== "function" || /\{\s*\[native code\]\s*\}\s*$/.test(text)) return null;
  if (isExpression(text)) return text;
  const head = methodKey.exec(text) ?? computedKey.exec(text);
  if (head === null) return null;
  const [whole, isAsync, isGenerator] = head;
  return `${isAsync ?? ""}function${isGenerator === undefined ? "" : "*"} ${text.slice(whole.length)}`;
}

/** Plain data as an expression of TypeScript: JSON, and the numbers that JSON has not. */
export function literalText(value: unknown): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  // Array.isArray makes `any[]` of it.
  if (Array.isArray(value)) return `[${(value as readonly unknown[]).map(literalText).join(",")}]`;
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${fields.map(([key, each]) => `${keyText(key)}:${literalText(each)}`).join(",")}}`;
}

/** A key of an object literal. Written in quotes, `__proto__` would set the prototype. */
export const keyText = (key: string): string => (key === "__proto__" ? '["__proto__"]' : JSON.stringify(key));
