const freeTextKeys: ReadonlySet<string> = new Set("prompt subject description reason note failure feedback".split(" "));

/**
 * Whether a field of this name holds free text in inputs, plans and the state of a session: text that is kept and passed on
 * word for word and steers nothing. A recording may mask secrets in it and still be folded to the same states.
 */
export const isFreeText = (key: string): boolean => freeTextKeys.has(key);
