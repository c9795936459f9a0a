const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A character as something that a reader sees and no frame is made of. */
const entityOf = (char: string): string => entities[char] ?? `&#x${(char.codePointAt(0) ?? 0).toString(16)};`;

// Control characters, halves of a pair, and what writes text that people don't see: other directions, tags, line ends
// that are none.
const special = /[&<>"\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** A text made safe inside a frame; line breaks and tabs stay. Nothing is lost: every character can be read back. */
export const escapeBody = (text: string): string =>
  text.replaceAll(special, (char) => (char === "\n" || char === "\t" ? char : entityOf(char)));

/** Attributes of a frame, escaped, each with a space before it; null ones are left out. */
const frameAttributes = (attributes: Readonly<Record<string, string | number | null>>): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === null ? [] : [` ${name}="${String(value).replaceAll(special, entityOf)}"`]))
    .join("");

/** One element: name, attributes, and a content that is escaped already. */
export const frame = (
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  content: string,
): string => `<${name}${frameAttributes(attributes)}>${content}</${name}>`;
