import { hash } from "node:crypto";
import type { LanguageModelV4, StreamPart } from "./language-model-v4.ts";
import { wrapModel } from "./wrap-model.ts";

/** Some servers put a whole signature into an id. It stands in the log with everything that becomes of its call. */
const idCharsMax = 512;

/**
 * The same model, whose calls within one answer have different ids: some servers give all of them one. A command is known by
 * the id of its call, so the second of two messages would be taken for the first one come again, and be lost. An id that is
 * too long for the log is replaced by its digest.
 */
export const uniqueCallIds = (model: LanguageModelV4): LanguageModelV4 =>
  wrapModel(model, {
    doStream: async (options) => {
      const result = await model.doStream(options);
      const ids = new CallIds();
      const rename = new TransformStream<StreamPart, StreamPart>({
        transform: (part, out) => out.enqueue(renamed(part, ids)),
      });
      return { ...result, stream: result.stream.pipeThrough(rename) };
    },
  });

function renamed(part: StreamPart, ids: CallIds): StreamPart {
  switch (part.type) {
    case "tool-input-start":
      return { ...part, id: ids.begin(part.id) };
    case "tool-input-delta":
    case "tool-input-end":
      return { ...part, id: ids.open(part.id) };
    case "tool-call":
      return { ...part, toolCallId: ids.close(part.toolCallId) };
    default:
      return part;
  }
}

/** Ids of the calls of one answer, by those that the server gave. A call that is streamed is open until it is whole. */
class CallIds {
  readonly #taken = new Set<string>();
  readonly #open = new Map<string, string>();

  begin(id: string): string {
    const own = this.#free(id);
    this.#taken.add(own);
    this.#open.set(id, own);
    return own;
  }

  open(id: string): string {
    return this.#open.get(id) ?? id;
  }

  close(id: string): string {
    const own = this.#open.get(id) ?? this.begin(id);
    this.#open.delete(id);
    return own;
  }

  #free(given: string): string {
    const id = given.length <= idCharsMax ? given : `call_${hash("sha256", given).slice(0, 32)}`;
    let free = id;
    for (let n = 2; this.#taken.has(free); n++) free = `${id}_${n}`;
    return free;
  }
}
