/** A line that matches, and its number from 1 on. */
export interface MatchingLine {
  readonly line: number;
  readonly text: string;
}

/** The matching lines of one text: the first `linesMax` of them, and how many there are. */
export interface TextMatches {
  readonly lines: readonly MatchingLine[];
  readonly count: number;
}

/** Finds the matching lines of one text after another. */
export interface LineMatcher extends AsyncDisposable {
  /** Rejects with the reason of `signal` once that aborts, whatever the matcher is doing. */
  match(text: string, linesMax: number, signal: AbortSignal): Promise<TextMatches>;
}

const lineCharsMax = 200;
const charsBeforeMatch = 60;

/** The part of a line around the character `at`, short enough to show. */
export const excerpt = (line: string, at: number): string => {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= lineCharsMax) return text;
  const start = Math.max(0, Math.min(at - charsBeforeMatch, text.length - lineCharsMax));
  const end = start + lineCharsMax;
  // A cut through a surrogate pair would leave half a character.
  const shown = text.slice(start, end).toWellFormed();
  return `${start > 0 ? "..." : ""}${shown}${end < text.length ? "..." : ""}`;
};

/** Finds lines that contain `wanted` literally. Linear in the size of the text. */
export const literalMatcher = (wanted: string): LineMatcher => ({
  async match(text, linesMax, signal) {
    signal.throwIfAborted();
    const lines: MatchingLine[] = [];
    let [count, line, lineStart] = [0, 1, 0];
    for (let at = text.indexOf(wanted); at !== -1;) {
      for (let end = text.indexOf("\n", lineStart); end !== -1 && end < at; end = text.indexOf("\n", lineStart)) {
        line += 1;
        lineStart = end + 1;
      }
      const newline = text.indexOf("\n", at);
      const lineEnd = newline === -1 ? text.length : newline;
      count += 1;
      if (lines.length < linesMax) lines.push({ line, text: excerpt(text.slice(lineStart, lineEnd), at - lineStart) });
      at = newline === -1 ? -1 : text.indexOf(wanted, lineEnd + 1);
    }
    return { lines, count };
  },
  async [Symbol.asyncDispose]() {},
});
