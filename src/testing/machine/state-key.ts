import { actorKey, isActor } from "./actors.ts";

/**
 * Writes any value as a text: equal texts for equal data, whatever the order of keys. Maps, sets, dates, bigints, errors and
 * cycles are written as what they are, actors by name; functions and instances of classes are told apart by identity, which
 * never takes two different ones for the same, and is noted.
 */
export class KeyWriter {
  readonly #numbers = new Map<unknown, number>();
  /** What was told apart by identity, for people. */
  readonly notes = new Set<string>();

  write(value: unknown, path: string): string {
    return this.#text(value, path, []);
  }

  #text(value: unknown, path: string, around: readonly object[]): string {
    switch (typeof value) {
      case "string":
        return JSON.stringify(value);
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "boolean":
      case "undefined":
        return String(value);
      case "bigint":
        return `${value}n`;
      case "symbol":
      case "function":
        return this.#identity(value, `a ${typeof value}`, path);
      case "object":
        return value === null ? "null" : this.#object(value, path, around);
    }
  }

  #object(value: object, path: string, around: readonly object[]): string {
    if (isActor(value)) return `actor(${JSON.stringify(actorKey(value))})`;
    const depth = around.indexOf(value);
    if (depth !== -1) return `^${around.length - depth}`;
    const within = [...around, value];
    const list = (values: Iterable<unknown>): string =>
      [...values].map((each, index) => this.#text(each, `${path}[${index}]`, within)).join(",");
    if (Array.isArray(value)) return `[${list(value)}]`;
    if (value instanceof Map) return `Map[${list(value)}]`;
    if (value instanceof Set) return `Set[${list(value)}]`;
    if (value instanceof Date) return `Date(${value.getTime()})`;
    if (value instanceof RegExp) return String(value);
    if (value instanceof URL) return `URL(${value.href})`;
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      return `${value.constructor.name}[${bytes.join(",")}]`;
    }
    if (value instanceof Error) {
      const said = `${JSON.stringify(value.name)},${JSON.stringify(value.message)}`;
      return `Error(${said},${this.#fields(value, path, within)})`;
    }
    if (!isPlain(value)) return this.#identity(value, `an instance of ${value.constructor.name}`, path);
    return this.#fields(value, path, within);
  }

  #fields(value: object, path: string, within: readonly object[]): string {
    const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const text = fields.map(([key, each]) => `${JSON.stringify(key)}:${this.#text(each, `${path}.${key}`, within)}`);
    return `{${text.join(",")}}`;
  }

  #identity(value: unknown, what: string, path: string): string {
    // Places in lists are left out: one sentence for a list of functions is enough.
    this.notes.add(
      `${path.replaceAll(/\[\d+\]/g, "[]")} is ${what}: told apart by identity; give \`key\` if it is data`,
    );
    let number = this.#numbers.get(value);
    if (number === undefined) this.#numbers.set(value, (number = this.#numbers.size));
    return `#${number}`;
  }
}

/** Made by `{}` or without a prototype, in whatever realm: a class has a prototype that has one itself. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
