import { createTeamSystem, type ResultLine, type TeamSystem } from "../index.ts";
import { redactResult } from "../actors/recording/recorder.ts";
import { createRedactor } from "../actors/recording/redactor.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import type { ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";
import { openBusOf } from "./open-bus.ts";
import { resultText } from "./run/result-text.ts";
import { readRecipe } from "./run/session-recipe.ts";
import { runFile } from "./run-file.ts";
import { warnInto } from "./log.ts";

/** Goes on with a session that was interrupted; of one that has ended it prints the result again. */
export async function resumeCommand(id: string, context: CommandContext): Promise<ExitCode> {
  const { host, log, settings } = context;
  const { values } = settings;
  const onFault = warnInto(log);
  await using opened = await openBusOf(id, values.bus, { cwd: host.cwd(), env: host.env, onFault });
  const { bus } = opened;
  const found = await lookAt(id, await createTeamSystem({ bus, environment: {}, onFault }));
  if (found.ended !== null) return showEnded(found.ended, context);
  return await runFile(readRecipe(id, found.file), { id, bus, context, isNew: false });
}

/** What a session has kept, and how it has ended if it has. */
async function lookAt(id: string, system: TeamSystem): Promise<{ file: unknown; ended: Ended | null }> {
  try {
    const session = await system.followSession(id);
    const ended = session.state.snapshot.value === "closed";
    const result = ended ? { result: session.result(), leadFailure: session.leadFailure } : null;
    return { file: await system.readSessionFile(id), ended: result };
  } finally {
    await system.close();
  }
}

interface Ended {
  readonly result: ResultLine;
  readonly leadFailure: string | null;
}

/** Prints how a session has ended. */
export function showEnded({ result, leadFailure }: Ended, { output, settings }: CommandContext): ExitCode {
  const shown = redactResult({ ...result, durationMs: 0 }, createRedactor({ secrets: [] }));
  output.tell("The session had ended; this is its result.");
  output.print(settings.values.json ? jsonLine(shown) : resultText(shown, { leadFailure }));
  return exitCodeOf[shown.outcome];
}
