/** Characters as bits: one for each of a sample of the alphabet. */
export type CharSet = bigint;

/** A regular expression as a tree. Assertions match nothing and are `empty`. */
export type Pattern =
  | { readonly type: "set"; readonly chars: CharSet }
  | { readonly type: "empty" }
  | { readonly type: "sequence" | "choice"; readonly items: readonly Pattern[] }
  | { readonly type: "repeat"; readonly item: Pattern; readonly min: number; readonly max: number };

/** A parsed regular expression. */
export interface ParsedPattern {
  readonly pattern: Pattern;
  /** Whether anything in it can fail without reading: `$`, `\b`, a look-around. `^` only decides where it begins. */
  readonly hasAssertion: boolean;
  /** The insides of its look-arounds, which match by themselves. */
  readonly inner: readonly Pattern[];
}

/** ASCII, and letters, signs and blanks from beyond it. */
const SAMPLE: readonly string[] = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ..."é ß Ж 中 ー א 😀 \u00a0 \u2028".split(" "),
];

/** Nested deeper than this is refused, so that reading cannot overflow the stack. */
const DEPTH_MAX = 100;

/** Thrown inside only: what this reader does not know, such as back-references. */
class Unreadable extends Error {}

const charsOf = (source: string, flags: string): CharSet => {
  const matcher = new RegExp(`^(?:${source})$`, flags.replaceAll(/[^iuvs]/g, ""));
  return SAMPLE.reduce((set, char, i) => (matcher.test(char) ? set | (1n << BigInt(i)) : set), 0n);
};

const alone = (items: readonly Pattern[]): Pattern | null => (items.length === 1 ? (items[0] ?? null) : null);

class PatternReader {
  readonly inner: Pattern[] = [];
  hasAssertion = false;
  readonly #source: string;
  readonly #flags: string;
  readonly #sets = new Map<string, CharSet>();
  #at = 0;
  #depth = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  readChoice(): Pattern {
    if ((this.#depth += 1) > DEPTH_MAX) throw new Unreadable();
    const items = [this.#readSequence()];
    while (this.#take("|")) items.push(this.#readSequence());
    this.#depth -= 1;
    return alone(items) ?? { type: "choice", items };
  }

  isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** What matches `pattern` right here, which must be sticky. */
  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #readSequence(): Pattern {
    const items: Pattern[] = [];
    while (!this.isAtEnd() && !/[|)]/.test(this.#source[this.#at] ?? "")) items.push(this.#readQuantified());
    return alone(items) ?? { type: "sequence", items };
  }

  #readQuantified(): Pattern {
    const item = this.#readAtom();
    const quantifier = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (quantifier === null) return item;
    const [min, max] = boundsOf(quantifier);
    return { type: "repeat", item, min, max };
  }

  #readAtom(): Pattern {
    if (this.#take("(")) return this.#readGroup();
    if (this.#take("^")) return { type: "empty" };
    if (this.#match(/\$|\\[bB]/y) !== null) return this.#assertion();
    if (this.#match(/\\(?:[1-9]|k<)/y) !== null) throw new Unreadable();
    const nested = this.#flags.includes("v") && this.#source[this.#at] === "[";
    if (nested && /\[[^\]]*\[/.test(this.#source.slice(this.#at))) throw new Unreadable();
    const atom = this.#match(
      /\[(?:[^\]\\]|\\[^])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])|[\uD800-\uDBFF][\uDC00-\uDFFF]|[^]/y,
    );
    if (atom === null) throw new Unreadable();
    const chars = this.#sets.get(atom) ?? charsOf(atom, this.#flags);
    this.#sets.set(atom, chars);
    return { type: "set", chars };
  }

  #assertion(): Pattern {
    this.hasAssertion = true;
    return { type: "empty" };
  }

  #readGroup(): Pattern {
    const isLookAround = this.#match(/\?<?[=!]/y) !== null;
    if (!isLookAround) this.#match(/\?(?::|<[^>]*>|[ims-]+:)/y);
    const content = this.readChoice();
    if (!this.#take(")")) throw new Unreadable();
    if (!isLookAround) return content;
    this.inner.push(content);
    return this.#assertion();
  }
}

const boundsOf = (quantifier: string): [number, number] => {
  if (quantifier.startsWith("*")) return [0, Infinity];
  if (quantifier.startsWith("+")) return [1, Infinity];
  if (quantifier.startsWith("?")) return [0, 1];
  const [, min = "0", comma, max] = /\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  return [Number(min), max !== undefined && max !== "" ? Number(max) : comma === "," ? Infinity : Number(min)];
};

/** Reads a regular expression; null when it is none, or uses what cannot be judged by its structure alone. */
export const parsePattern = (source: string, flags: string): ParsedPattern | null => {
  const reader = new PatternReader(source, flags);
  try {
    const pattern = reader.readChoice();
    return reader.isAtEnd() ? { pattern, hasAssertion: reader.hasAssertion, inner: reader.inner } : null;
  } catch (error) {
    if (error instanceof Unreadable || error instanceof SyntaxError) return null;
    throw error;
  }
};
