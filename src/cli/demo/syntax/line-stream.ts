/** Splits text that arrives in pieces at `\n` only: other line separators may stand inside JSON. */
export const createLineStream = (onLine: (line: string) => void): ((piece: string) => void) => {
  let pieces: string[] = [];
  return (piece) => {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      onLine([...pieces, line].join(""));
      pieces = [];
    }
    if (last !== "") pieces.push(last);
  };
};
