import { resolve } from "node:path";
import type { Bus } from "../bus/bus.ts";
import { createTeamSystem } from "../index.ts";
import { createService } from "../service/index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { inspectorIfAsked } from "./inspect/serve-inspector.ts";
import { resumeWords } from "./open-bus.ts";
import { printable } from "./printable.ts";
import { hostSession } from "./run/host-session.ts";
import { idleRules } from "./run/idle-rules.ts";
import { makeOutFolder, writeResult } from "./run/out-folder.ts";
import { requireNewSession } from "./run/new-session-id.ts";
import { recipeOf } from "./run/session-recipe.ts";
import { jobOf, routesOf, systemOptionsOf, type FileRun } from "./run/team-file-job.ts";
import { unknownTools } from "./run/unknown-tools.ts";
import { warnInto } from "./log.ts";

/** The session of a run. */
export interface RunPlace {
  readonly id: string;
  /** null = in the memory of this process. */
  readonly bus: Bus | null;
  readonly context: CommandContext;
  /** Whether the session must not be there yet. */
  readonly isNew: boolean;
}

/** Runs the team of a file to its end, from its beginning or from where it was. */
export async function runFile(run: FileRun, { id, bus, context, isNew }: RunPlace): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { values } = settings;
  const out = values.out === null ? null : resolve(host.cwd(), values.out);
  if (out !== null) await makeOutFolder(out);
  const onFault = warnInto(log);
  const options = { ...(await systemOptionsOf(run)), environment: host.env, onFault };
  await using system = await createTeamSystem(bus === null ? options : { ...options, bus });
  const resume = resumeWords(id, values.bus);
  if (isNew) await requireNewSession(system, id, resume);
  const models = await routesOf(system, run);
  for (const sentence of [...unknownTools(run.file.script), ...idleRules(run)]) output.tell(printable(sentence));
  announce(`session ${id}: ${printable(models)}`, context);
  const job = jobOf(run, { system, id, models, file: recipeOf(run), resume });
  const stage = { host, output, log, settings: values };
  await using inspector = await inspectorIfAsked((asked) => createService(system, asked), stage);
  const { result, exitCode } = await hostSession(job, stage);
  if (out !== null) await writeResult(out, result);
  if (exitCode !== exitCodes.interrupted) await inspector.stay();
  return exitCode;
}

/** Says by which models it runs; stdout of `--json` is for its objects alone. */
function announce(sentence: string, { output, settings }: CommandContext): void {
  if (settings.values.json) output.tell(sentence);
  else output.print(`${sentence}\n`);
}
