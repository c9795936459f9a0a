/** Comments, or a string, which is kept: what looks like a comment inside one is none. */
const COMMENT_OR_STRING = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"/g;

/** The value of a JSON text that may hold comments and trailing commas, as tsconfig.json does; null when it is none. */
export const parseJsonLoosely = (text: string): unknown => {
  const plain = text.replaceAll(COMMENT_OR_STRING, (part) => (part.startsWith('"') ? part : " "));
  const strict = plain.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === "," ? "" : part));
  try {
    const value: unknown = JSON.parse(strict);
    return value;
  } catch {
    // A file of the reviewed project that is no JSON only means that nothing can be learned from it here.
    return null;
  }
};
