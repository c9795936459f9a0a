import { cloneSession, type KernelRecord, type SessionState } from "../../machines/index.ts";

/** An input that a history holds: all that is needed to fold it, and the value that it refers to. */
export interface HeldInput {
  readonly record: KernelRecord;
  readonly body: unknown;
}

/**
 * A stretch of a session's log: the state before it, and its inputs. All by reference: holding it costs no more than the
 * memory that would be freed without it.
 */
export class Chapter {
  /** The state before the first input; whoever folds copies it. */
  readonly base: SessionState;
  readonly inputs: HeldInput[] = [];
  readonly #bodies = new Map<string, unknown>();
  #bytes = 0;

  constructor(state: SessionState) {
    this.base = cloneSession(state);
  }

  /** Bytes of the bodies that its inputs refer to. */
  get bytes(): number {
    return this.#bytes;
  }

  add(record: KernelRecord, body: unknown): void {
    this.inputs.push({ record, body });
    const ref = record.input.body;
    if (ref === undefined || body === undefined) return;
    this.#bodies.set(ref.digest, body);
    this.#bytes += ref.bytes;
  }

  /** A body that one of its inputs refers to. */
  body(digest: string): unknown {
    return this.#bodies.get(digest);
  }
}
