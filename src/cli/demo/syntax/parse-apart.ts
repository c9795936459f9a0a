import { spawn } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceFile } from "../source-file.ts";
import { createLineStream } from "./line-stream.ts";
import type { ParsedSource } from "./parse-source.ts";

/** Limits of `parseApart`. */
export interface ParseLimits {
  /** How long one file may take. */
  readonly fileMs: number;
  /** After so many files that ended the parser, the rest is reported as not parsed. */
  readonly crashesMax: number;
  readonly signal?: AbortSignal | undefined;
}

/** The parser beside this module: `.ts` when run from the sources, `.js` when built. */
const PARSER = fileURLToPath(new URL(`./parser-child${extname(import.meta.url)}`, import.meta.url));

const failed = (message: string): ParsedSource => ({ program: null, failure: { line: 1, message } });

/**
 * One child over `files`: passes on its answers, in order, and resolves when it has ended. A reason means that it ended
 * before it had answered all.
 */
const runChild = (
  files: readonly SourceFile[],
  limits: ParseLimits,
  answer: (result: ParsedSource) => void,
): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PARSER], { stdio: ["pipe", "pipe", "ignore"], env: {} });
    let open = files.length;
    let isOver = false;
    const end = (reason: string): void => {
      isOver = true;
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", abort);
      child.kill("SIGKILL");
      resolve(open === 0 ? null : reason);
    };
    const slow = (): void => end(`The parser needed more than ${limits.fileMs} ms`);
    let timer = setTimeout(slow, limits.fileMs);
    const abort = (): void => end("Aborted");
    limits.signal?.addEventListener("abort", abort, { once: true });

    const take = createLineStream((line) => {
      // An answer on its way when the child was given up belongs to a file that has failed by then.
      if (isOver) return;
      try {
        // The child is ours and writes results only.
        answer(JSON.parse(line) as ParsedSource);
      } catch (error) {
        reject(error);
        return end("The result could not be used");
      }
      open -= 1;
      clearTimeout(timer);
      timer = setTimeout(slow, limits.fileMs);
    });
    child.stdout.setEncoding("utf8").on("data", take);
    child.once("error", (error) => end(`The parser could not be started: ${error.message}`));
    // A child that died has closed its input; its exit, not the broken pipe, says why.
    child.stdin.on("error", () => undefined);
    child.once("close", (_code, signal) => end(`The parser broke off${signal === null ? "" : ` (${signal})`}`));
    for (const file of files) child.stdin.write(`${JSON.stringify(file)}\n`);
    child.stdin.end();
  });

/**
 * Parses files in a process of its own, so that no source can end this one. `use` gets each result as it comes, while
 * the next file is being parsed; what it makes of them comes back in the order of `files`.
 *
 * A file on which the parser dies, or that takes too long, is a failure like a syntax error; the others go on. Rejects
 * only when aborted.
 */
export const parseApart = async <Value>(
  files: readonly SourceFile[],
  limits: ParseLimits,
  use: (result: ParsedSource, index: number) => Value,
): Promise<Value[]> => {
  const values: Value[] = [];
  const take = (result: ParsedSource): void => void values.push(use(result, values.length));
  for (let crashes = 0; values.length < files.length;) {
    limits.signal?.throwIfAborted();
    if (crashes === limits.crashesMax) {
      take(failed(`Not parsed: ${crashes} files before it ended the parser`));
      continue;
    }
    const reason = await runChild(files.slice(values.length), limits, take);
    limits.signal?.throwIfAborted();
    if (reason === null) continue;
    crashes += 1;
    take(failed(reason));
  }
  return values;
};
