import { open } from "node:fs/promises";
import { TeamError } from "../errors/index.ts";

/** A line of a recording's text. `isTorn` = it is the last one and its end is missing. */
export interface TextLine {
  readonly text: string;
  readonly isTorn: boolean;
}

/**
 * The lines of a file, ended by a line feed and by nothing else (JSON may hold every other separator), without loading the
 * file as a whole. A file that cannot be read is `bad_file`.
 */
export async function* readLines(path: string): AsyncGenerator<TextLine> {
  let rest = "";
  try {
    await using file = await open(path, "r");
    for await (const chunk of file.createReadStream({ encoding: "utf8" })) {
      const parts = (rest + String(chunk)).split("\n");
      rest = parts.pop() ?? "";
      for (const text of parts) yield { text, isTorn: false };
    }
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TeamError(
      "bad_file",
      { file: path, problem: `it cannot be read: ${problem}`, fault: "unreadable" },
      { cause },
    );
  }
  if (rest !== "") yield { text: rest, isTorn: true };
}
