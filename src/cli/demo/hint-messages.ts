import { formatHint, parseHint, type Hint } from "./hint.ts";

/**
 * The hints as messages of one hint a line, each at most `bytesMax` UTF-8 bytes. A single hint longer than that gets
 * a message of its own, which the receiver's limit may refuse.
 */
export const hintMessages = (hints: readonly Hint[], bytesMax: number): string[] => {
  const messages: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const line of hints.map(formatHint)) {
    const lineBytes = Buffer.byteLength(line) + 1;
    if (lines.length > 0 && bytes + lineBytes > bytesMax) {
      messages.push(lines.join("\n"));
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += lineBytes;
  }
  return lines.length === 0 ? messages : [...messages, lines.join("\n")];
};

/** The hints in a message of `from`. Lines that are no hints are left out: a message may hold other text too. */
export const parseHintMessage = (message: string, from: string): Hint[] =>
  message.split("\n").flatMap((line) => parseHint(line, from) ?? []);
