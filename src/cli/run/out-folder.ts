import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TeamError, type ResultLine } from "../../index.ts";

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Makes the folder of `--out`, before anything is started; one that cannot be made is `bad_file`. */
export async function makeOutFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw new TeamError(
      "bad_file",
      { file: path, problem: `it cannot be made a folder: ${problemOf(cause)}`, fault: "unwritable" },
      { cause },
    );
  }
}

/** Leaves the result in the folder: `result.json`, and `answer.md` when there was an answer. */
export async function writeResult(path: string, result: ResultLine): Promise<void> {
  try {
    await writeFile(join(path, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
    if (result.answer !== null) await writeFile(join(path, "answer.md"), `${result.answer.trimEnd()}\n`);
  } catch (cause) {
    throw new TeamError(
      "bad_file",
      { file: path, problem: `it cannot be written: ${problemOf(cause)}`, fault: "unwritable" },
      { cause },
    );
  }
}
