/**
 * A process of its own that parses what it is sent, one JSON file a line, and answers one JSON result a line, in order.
 *
 * The native parser ends its process on source that is nested too deeply. Here that costs one answer only: each answer
 * has left the process before the next file is touched.
 */
import { once } from "node:events";
import type { SourceFile } from "../source-file.ts";
import { createLineStream } from "./line-stream.ts";
import { parseSource, type ParsedSource } from "./parse-source.ts";

/** BigInt values have no JSON form; their digits stand in the node's `bigint` field. */
const withoutBigInt = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? null : value);

/** A replacer makes this three times as slow, so it is only used where a plain attempt meets a BigInt. */
const answer = (result: ParsedSource): string => {
  try {
    return JSON.stringify(result);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(result, withoutBigInt);
  }
};

const parse = (line: string): string => {
  try {
    // The parent is the only writer of this stream, and it writes files.
    return answer(parseSource(JSON.parse(line) as SourceFile));
  } catch (error) {
    return answer({ program: null, failure: { line: 1, message: String(error) } });
  }
};

const answerAll = async (): Promise<void> => {
  const lines: string[] = [];
  const take = createLineStream((line) => lines.push(line));
  process.stdin.setEncoding("utf8").on("data", take);
  const ended = once(process.stdin, "end").then(() => "ended" as const);
  for (let state: "open" | "ended" = "open"; state === "open" || lines.length > 0;) {
    const line = lines.shift();
    if (line === undefined)
      state = await Promise.race([ended, once(process.stdin, "data").then(() => "open" as const)]);
    else await new Promise((resolve) => process.stdout.write(`${parse(line)}\n`, resolve));
  }
};

await answerAll();
