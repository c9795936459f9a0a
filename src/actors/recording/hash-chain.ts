import { createCanonicalWriter } from "../../machines/kernel/canonical-writer.ts";
import { digestOf } from "../owner/body-store.ts";

/** The hashes of a recording's lines, each over all lines before it. */
export interface HashChain {
  /** The hash of the last line; empty before the first. */
  readonly last: string;
  /**
   * The hash of the next line: H(hash before, line, actors). A `hash` of the line itself is left out; `actors` is the canonical text of
   * what its input touched, for an input's own line.
   */
  next(line: object, actors?: string): string;
}

const withoutHash: ReadonlySet<string> = new Set(["hash"]);

/** Starts a chain. */
export function createHashChain(): HashChain {
  const writer = createCanonicalWriter({});
  let last = "";
  return {
    get last() {
      return last;
    },
    next(line, actors = "") {
      last = digestOf(`${last}\n${writer.fields(line, withoutHash)}\n${actors}`);
      return last;
    },
  };
}
