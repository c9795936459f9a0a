import type { GenerateResult, StreamPart } from "./language-model-v4.ts";

/** How many characters a delta has: few enough that even a short answer comes in several. */
const deltaChars = 16;

/** Pieces of a text, never splitting a character. */
function* deltasOf(text: string): Generator<string> {
  let piece = "";
  for (const character of text) {
    piece += character;
    if (piece.length >= deltaChars) {
      yield piece;
      piece = "";
    }
  }
  if (piece !== "") yield piece;
}

function* partsOf(answer: GenerateResult): Generator<StreamPart> {
  yield { type: "stream-start", warnings: answer.warnings };
  yield { type: "response-metadata", ...answer.response };
  for (const [index, part] of answer.content.entries()) {
    if (part.type === "text") {
      const id = String(index);
      yield { type: "text-start", id };
      for (const delta of deltasOf(part.text)) yield { type: "text-delta", id, delta };
      yield { type: "text-end", id };
    } else if (part.type === "tool-call") {
      const id = part.toolCallId;
      yield { type: "tool-input-start", id, toolName: part.toolName };
      for (const delta of deltasOf(part.input)) yield { type: "tool-input-delta", id, delta };
      yield { type: "tool-input-end", id };
      yield part;
    }
  }
  const { finishReason, usage, providerMetadata } = answer;
  yield { type: "finish", finishReason, usage, ...(providerMetadata === undefined ? {} : { providerMetadata }) };
}

/**
 * An answer of texts and tool calls as a stream of small parts, each made when it is asked for. `onEnd` is called when
 * the last part was taken; an abort makes the stream fail with the signal's reason, and `onEnd` is never called.
 */
export const streamAnswer = (
  answer: GenerateResult,
  { signal, onEnd }: { signal: AbortSignal | undefined; onEnd: () => void },
): ReadableStream<StreamPart> => {
  const parts = partsOf(answer);
  return new ReadableStream<StreamPart>(
    {
      pull: (controller) => {
        if (signal?.aborted) {
          controller.error(signal.reason);
          return;
        }
        const next = parts.next();
        if (next.done) {
          onEnd();
          controller.close();
        } else controller.enqueue(next.value);
      },
    },
    { highWaterMark: 0 },
  );
};
