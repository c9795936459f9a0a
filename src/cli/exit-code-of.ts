import type { ResultLine } from "../index.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";

/** The exit code that says how a session has ended. */
export const exitCodeOf: Readonly<Record<ResultLine["outcome"], ExitCode>> = {
  completed: exitCodes.done,
  failed: exitCodes.failed,
  dissolved: exitCodes.failed,
  interrupted: exitCodes.interrupted,
};
