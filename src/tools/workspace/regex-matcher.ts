import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { TeamError } from "../../errors/index.ts";
import { excerpt, type LineMatcher } from "./line-matcher.ts";

interface Reply {
  readonly count: number;
  readonly lines: readonly { readonly line: number; readonly text: string; readonly at: number }[];
}

// Text and not a file of its own, so that it runs the same from sources, built and bundled into a user's app. It has
// no access to anything but the texts it is sent.
const workerSource = `
  const { parentPort, workerData } = require("node:worker_threads");
  const regex = new RegExp(workerData.source, workerData.flags);
  parentPort.on("message", ({ text, linesMax }) => {
    const lines = [];
    let count = 0;
    let number = 0;
    for (const raw of text.split("\\n")) {
      number += 1;
      const found = regex.exec(raw.endsWith("\\r") ? raw.slice(0, -1) : raw);
      if (found === null) continue;
      count += 1;
      if (lines.length < linesMax) lines.push({ line: number, text: raw, at: found.index });
    }
    parentPort.postMessage({ lines, count });
  });
`;

const heapMebibytesMax = 256;

/** The flags with which `source` is a regular expression: Unicode if it can be, since models also write stray escapes. */
const flagsFor = (source: string): string => {
  try {
    new RegExp(source, "u");
    return "u";
  } catch {
    // Not a fault yet: without the flag more is allowed.
  }
  try {
    new RegExp(source);
    return "";
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new TeamError("bad_input", {
      what: "pattern",
      problem: `it is no JavaScript regular expression: ${problem}`,
    });
  }
};

/**
 * Finds lines that match a JavaScript regular expression. It runs in a thread of its own that is ended when `signal`
 * aborts, so that a pattern with exponential backtracking stops nobody else.
 */
export const regexMatcher = (source: string): LineMatcher => {
  const worker = new Worker(workerSource, {
    eval: true,
    env: {},
    execArgv: [],
    workerData: { source, flags: flagsFor(source) },
    resourceLimits: { maxOldGenerationSizeMb: heapMebibytesMax },
  });
  const failed = Promise.withResolvers<never>();
  // Also when nobody waits for a reply just then: an unheard error event would end the process.
  worker.on("error", failed.reject);
  worker.on("exit", () => failed.reject(new Error("its thread ended")));
  failed.promise.catch(() => {
    // Told by the next match.
  });
  return {
    async match(text, linesMax, signal) {
      signal.throwIfAborted();
      // Listening first: the reply may be quick.
      const replied = once(worker, "message", { signal });
      worker.postMessage({ text, linesMax });
      try {
        // The worker above posts nothing else.
        const [reply] = (await Promise.race([replied, failed.promise])) as [Reply];
        return {
          count: reply.count,
          lines: reply.lines.map(({ line, text: raw, at }) => ({ line, text: excerpt(raw, at) })),
        };
      } catch (error) {
        signal.throwIfAborted();
        const problem = error instanceof Error ? error.message : String(error);
        throw new TeamError(
          "bad_input",
          { what: "pattern", problem: `it cannot be run: ${problem}` },
          { cause: error },
        );
      }
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
};
