import { byteLength } from "../../protocol/names.ts";
import { isFreeText } from "../../protocol/free-text.ts";

/** What is hidden beside the defaults. */
export interface RedactorOptions {
  /** Secrets that are known, such as the values of variables that hold keys. Shorter ones than 8 characters are left. */
  readonly secrets?: readonly string[];
  /** More names of fields whose values are secret. */
  readonly keys?: readonly string[];
}

/** Hides secrets before anything leaves the process. Whatever is given, nothing is changed in place. */
export interface Redactor {
  /**
   * Free text with what looks like a secret masked. As many bytes as before, so that every limit judges it alike, and
   * masking twice changes nothing more.
   */
  text(text: string): string;
  /** A JSON value: texts masked, values of secret fields replaced. The same object when there was nothing to hide. */
  value(value: unknown): unknown;
  /** A part of the steering data: its free text is masked and nothing else. The same object when nothing was found. */
  steering<Value>(value: Value): Value;
}

/**
 * What providers' keys, tokens and other credentials look like, the secret itself as the group `secret`. What stands behind
 * a mask does not begin there: it was a part of something longer when the text was masked first. What may be tried at many
 * places of a text is bounded, so that no text takes more than linear time.
 */
const looks: readonly RegExp[] = [
  /(?<![\w-]|\*\]|redacted\])(?<secret>(?:sk|pk|rk|xai|pplx|glpat|r8|gsk|hf|npm|pypi|dop_v1|tvly|lsv2)[-_][\w-]{16,})/g,
  /(?<![\w-]|\*\]|redacted\])(?<secret>gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[a-z]-[\w-]{10,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,})/g,
  /(?<![\w-]|\*\]|redacted\])(?<secret>eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,})/g,
  /\b(?:bearer|basic)\s{1,8}(?<secret>[\w.~+/=-]{12,})/gi,
  /(?<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$))/g,
  /(?:key|token|secret|passw(?:or)?d|authorization|cookie|credentials?)["']?\s{0,8}[:=]\s{0,8}["']?(?<secret>(?=[^\s"',;[\]{}()]{0,128}\d)[^\s"',;[\]{}()]{8,})/gi,
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,256}:(?<secret>[^\s/@]{3,256})@/gi,
];
/** No look above fits a shorter text. */
const shortest = 8;

/** A field with one of these words in its name holds a secret. */
const strongWords: ReadonlySet<string> = new Set(
  "authorization cookie cookies password passwords passwd pwd passphrase secret secrets credential credentials apikey".split(
    " ",
  ),
);
/** A field whose name ends in one of these words does. Counts of `tokens` and lists of `keys` are none. */
const weakWords: ReadonlySet<string> = new Set(["key", "token"]);

const replaced = "[redacted]";

/**
 * As many bytes of nothing: ASCII, so that characters are bytes. In brackets, however short: what looks like a value of a
 * secret field ends at a bracket, so hiding a part of a text never joins what stood on its two sides into a new secret.
 */
const mask = (secret: string): string => {
  const bytes = byteLength(secret);
  const stars = bytes - replaced.length;
  return stars < 0 ? `[${"*".repeat(bytes - 2)}]` : `[redacted${"*".repeat(stars)}]`;
};

const wordsOf = (key: string): readonly string[] =>
  key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Makes a redactor; with no options it hides what is secret by the look or the name of its field. */
export function createRedactor({ secrets = [], keys = [] }: RedactorOptions = {}): Redactor {
  const known = secrets.filter((secret) => secret.length >= shortest).toSorted((a, b) => b.length - a.length);
  const more = new Set(keys.map((key) => wordsOf(key).join(" ")));

  const text = (input: string): string => {
    if (input.length < shortest) return input;
    let output = input;
    for (const secret of known) output = output.replaceAll(secret, mask(secret));
    for (const look of looks) output = output.replaceAll(look, maskGroup);
    return output;
  };
  const isSecretKey = (key: string): boolean => {
    const words = wordsOf(key);
    return (
      words.some((word) => strongWords.has(word)) || weakWords.has(words.at(-1) ?? "") || more.has(words.join(" "))
    );
  };
  const body = (key: string, value: unknown): unknown => {
    if (value === null || value === undefined || typeof value === "boolean") return value;
    if (isSecretKey(key)) return replaced;
    return typeof value === "string" ? text(value) : walk(value, body);
  };
  const steering = (key: string, value: unknown): unknown => {
    if (typeof value === "string") return isFreeText(key) ? text(value) : value;
    return walk(value, steering);
  };
  return {
    text,
    value: (value) => body("", value),
    // Only texts are masked, each by another text: the shape stays.
    steering: <Value>(value: Value) => steering("", value) as Value,
  };
}

/** `String.replace` gives the groups last; the secret stands at the end of what was found. */
function maskGroup(match: string, ...details: readonly unknown[]): string {
  const groups = details.at(-1);
  const secret = typeof groups === "object" && groups !== null && "secret" in groups ? String(groups.secret) : match;
  const at = match.lastIndexOf(secret);
  return match.slice(0, at) + mask(secret) + match.slice(at + secret.length);
}

/** Changes the parts of a list or object; hands it back itself when none of them was changed. */
function walk(value: unknown, change: (key: string, part: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [key, change(key, part)]);
  // Entries of an object are read by their own names.
  const parts = value as Readonly<Record<string, unknown>>;
  if (entries.every(([key, part]) => part === parts[key])) return value;
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
