import { describeRefusal, isTeamError } from "../errors/index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";
import type { Log } from "./log.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

/** Further faults of one error that are told. */
const moreMax = 20;

/** Where an error is told, and how. */
export interface ErrorStage {
  readonly output: Output;
  readonly json: boolean;
  readonly log: Log;
}

/**
 * Tells what ended a command: as a line on stdout with `--json`, as a sentence on stderr without. A stack trace is for
 * `--log-level debug` alone. Gives back the exit code.
 */
export function reportError(error: unknown, { output, json, log }: ErrorStage): ExitCode {
  if (!isTeamError(error)) return reportFault(error, { output, json, log });
  if (json) output.print(jsonLine(error.toJSON()));
  else {
    for (const problem of error.problems.slice(0, moreMax)) output.tell(printable(describeRefusal(problem)));
    const rest = error.problems.length - moreMax;
    if (rest > 0) output.tell(`... and ${rest} more like these.`);
  }
  const isOurs = error.code === "replay_mismatch" || error.code === "kernel_error";
  return isOurs ? exitCodes.failed : exitCodes.refused;
}

/** Something that should not have happened: a fault of ours, not of the input. */
function reportFault(error: unknown, { output, json, log }: ErrorStage): ExitCode {
  const problem = error instanceof Error ? error.message : String(error);
  const message = `Unexpected: ${printable(problem, { charactersMax: 500 })}. Please report it; --log-level debug shows where it happened.`;
  if (json) output.print(jsonLine({ type: "error", code: "kernel_error", message, data: { problem } }));
  else output.tell(message);
  if (error instanceof Error) log.write("debug", { message: problem, stack: error.stack });
  return exitCodes.failed;
}
