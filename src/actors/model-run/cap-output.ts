import type { ToolOutput } from "./conversation.ts";

/** What a call's output is cut to. */
export interface OutputCap {
  /** Bytes that the model reads. */
  readonly resultBytesMax: number;
  /** Bytes of one body in the log: what is more than half of it is not kept. */
  readonly bodyBytesMax: number;
}

/** An output as the model reads it, and all of it where that is less. */
export interface CappedOutput {
  readonly output: ToolOutput;
  readonly whole?: ToolOutput;
}

/** The beginning of a text with at most this many bytes; no character is cut in two. */
function headOf(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  let end = Math.min(bytes.length, bytesMax);
  // Bytes 10xxxxxx go on with a character that began before.
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** What is cut away, as the model is told. */
interface Cut {
  readonly shown: number;
  readonly bytes: number;
  readonly call: string;
  readonly isKept: boolean;
}

const cutText = ({ shown, bytes, call, isKept }: Cut): string => {
  const rest = isKept
    ? `The whole result is in the session's log, as the end of the call ${call}`
    : "The rest is too long for the session's log as well, and is not kept";
  return `\n[Cut: ${bytes - shown} of ${bytes} bytes are missing here. ${rest}. To read more of it, ask the tool for a part.]`;
};

/** The texts that an output is made of, in their order; null for one without any. */
function textsOf(output: ToolOutput): readonly string[] | null {
  switch (output.type) {
    case "text":
    case "error-text":
      return [output.value];
    case "json":
    case "error-json":
      return [JSON.stringify(output.value)];
    case "content":
      return output.value.flatMap((part) => ("text" in part ? [part.text] : []));
    default:
      return null;
  }
}

/** The same output with these texts in the place of its own; JSON that is cut is none any more. */
function withTexts(output: ToolOutput, texts: readonly string[]): ToolOutput {
  const [first = ""] = texts;
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...output, value: first };
    case "json":
      return { type: "text", value: first };
    case "error-json":
      return { type: "error-text", value: first };
    case "content": {
      let next = 0;
      const value = output.value.map((part) => ("text" in part ? { ...part, text: texts[next++] ?? "" } : part));
      return { ...output, value };
    }
    default:
      return output;
  }
}

/**
 * An output cut to what a model may read of it, at the end of a character, with a sentence about what is missing and where
 * it is. Texts are cut and counted; images and files of an output are its provider's to refuse.
 */
export function capOutput(output: ToolOutput, call: string, { resultBytesMax, bodyBytesMax }: OutputCap): CappedOutput {
  const texts = textsOf(output);
  if (texts === null) return { output };
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= resultBytesMax) return { output };
  let left = resultBytesMax;
  const heads = texts.map((text) => {
    const head = headOf(text, left);
    left -= Buffer.byteLength(head);
    return head;
  });
  // As it will be stored: what is escaped there takes more room than it has bytes.
  const isKept = Buffer.byteLength(JSON.stringify(output)) <= bodyBytesMax / 2;
  const last = heads.findLastIndex((head) => head !== "");
  const cut = cutText({ shown: resultBytesMax - left, bytes, call, isKept });
  const shown = withTexts(
    output,
    heads.map((head, index) => (index === Math.max(last, 0) ? head + cut : head)),
  );
  return isKept ? { output: shown, whole: output } : { output: shown };
}
