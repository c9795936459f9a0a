import type { CommandContext } from "./command-context.ts";
import { runCheck } from "./check/run-check.ts";
import { startExplorer } from "./check/explorer.ts";
import type { ExitCode } from "./exit-codes.ts";

/** Checks what can happen to the teams of a file, or to every small team, without running anything. */
export const checkCommand = (path: string | null, context: CommandContext): Promise<ExitCode> =>
  runCheck(path, context, startExplorer());
