import { isFreeText } from "../../protocol/free-text.ts";

/** How a canonicalizer is made. */
export interface CanonicalOptions {
  /**
   * A short stand-in for a long text that no other text has: a cryptographic hash. Given one, values must never be changed in
   * place, long parts stand as their digest, and what has not changed is not written again. Left out, all is written out.
   */
  readonly digest?: (text: string) => string;
  /** Masks secrets in free text (prompts, descriptions, reasons); left out, it stays as it is. */
  readonly maskText?: (text: string) => string;
}

/** Writes values as canonical JSON. */
export interface CanonicalWriter {
  /** An object: its keys sorted, undefined ones and those of `skip` left out. */
  fields(value: object, skip?: ReadonlySet<string>): string;
}

/** Nested values and strings longer than this stand as their digest. */
const inlineMax = 1_024;
/** Nested values longer than this are written once. */
const rewriteMax = 96;
/** Long strings whose text is remembered. */
const stringsMax = 20_000;

/** A field of an object of some shape. */
interface Field {
  readonly key: string;
  /** The key as JSON, with its colon. */
  readonly label: string;
  readonly isFreeText: boolean;
}

/** Objects of equal keys in equal order, and these keys sorted. */
interface Shape {
  readonly keys: readonly string[];
  readonly sorted: readonly Field[];
}

/** Shapes remembered for each number of keys; records have few, bodies may have any. */
const shapesMax = 16;

const createShapes = () => {
  const byCount = new Map<number, Shape[]>();
  const fieldOf = (key: string): Field => ({ key, label: `${JSON.stringify(key)}:`, isFreeText: isFreeText(key) });
  return (value: object): readonly Field[] => {
    const keys = Object.keys(value);
    let shapes = byCount.get(keys.length);
    if (shapes === undefined) byCount.set(keys.length, (shapes = []));
    for (const shape of shapes) if (isSame(shape.keys, keys)) return shape.sorted;
    const sorted = keys.toSorted().map(fieldOf);
    if (shapes.length < shapesMax) shapes.push({ keys, sorted });
    return sorted;
  };
};

/** Of two lists of equal length. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.every((key, index) => key === b[index]);
}

/** Nothing that JSON would have to escape. */
const plain = /^[ !#-[\]-~]*$/;
const quote = (text: string): string => (text.length < 64 && plain.test(text) ? `"${text}"` : JSON.stringify(text));

/** Makes a writer; what it remembers, it remembers for as long as it lives. */
export function createCanonicalWriter({ digest, maskText = (text) => text }: CanonicalOptions): CanonicalWriter {
  const memory = digest === undefined ? null : createMemory(digest);
  const fieldsOf = createShapes();

  const writeString = (text: string): string =>
    memory === null || text.length <= inlineMax ? quote(text) : memory.string(text);

  const writeField = ({ key, isFreeText: isFree }: Field, value: unknown): string => {
    if (typeof value === "string") return writeString(isFree ? maskText(value) : value);
    if (typeof value !== "object" || value === null) return writeAtom(value);
    return memory !== null && key === "snapshot" ? memory.part(value, writeSnapshot) : writeObject(value);
  };

  const fields = (value: object, skip?: ReadonlySet<string>): string => {
    let text = "{";
    // Plain objects; their keys are read as such.
    const record = value as Readonly<Record<string, unknown>>;
    for (const field of fieldsOf(value)) {
      const part = record[field.key];
      if (part === undefined || skip?.has(field.key) === true) continue;
      text += (text === "{" ? "" : ",") + field.label + writeField(field, part);
    }
    return `${text}}`;
  };

  const list = (values: Iterable<unknown>): string => {
    let text = "[";
    for (const value of values) text += (text === "[" ? "" : ",") + write(value);
    return `${text}]`;
  };

  /** A machine's snapshot is its value and context; the rest follows from them. */
  const writeSnapshot = (snapshot: object): string => {
    // Only the record of an actor has a field of this name.
    const { value, context } = snapshot as { readonly value: unknown; readonly context: unknown };
    return fields({ context, value });
  };
  const writeOut = (value: object): string =>
    Array.isArray(value) || value instanceof Map ? list(value) : fields(value);
  const writeObject = (value: object): string => (memory === null ? writeOut(value) : memory.part(value, writeOut));
  const write = (value: unknown): string => {
    if (typeof value === "string") return writeString(value);
    return typeof value === "object" && value !== null ? writeObject(value) : writeAtom(value);
  };

  return { fields };
}

/** What was written already, long parts as their digest. */
function createMemory(digest: (text: string) => string) {
  const parts = new WeakMap<object, string>();
  const strings = new Map<string, string>();
  return {
    string(text: string): string {
      let short = strings.get(text);
      if (short === undefined) {
        if (strings.size >= stringsMax) strings.clear();
        strings.set(text, (short = `#${digest(text)}`));
      }
      return short;
    },
    part<Part extends object>(value: Part, writeOut: (value: Part) => string): string {
      const known = parts.get(value);
      if (known !== undefined) return known;
      const text = writeOut(value);
      if (text.length <= rewriteMax) return text;
      const short = text.length > inlineMax ? `#${digest(text)}` : text;
      parts.set(value, short);
      return short;
    },
  };
}

const writeAtom = (value: unknown): string =>
  typeof value === "number" && Number.isFinite(value) ? `${value}` : (JSON.stringify(value) ?? "null");
