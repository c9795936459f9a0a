import { createTeamSystem } from "../index.ts";
import { createService } from "../service/index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { exampleTeam } from "./inspect/example-team.ts";
import { serveInspector } from "./inspect/serve-inspector.ts";
import { openBus, resumeWords } from "./open-bus.ts";
import { printable } from "./printable.ts";
import { readTeamFile } from "./read-team-file.ts";
import { hostSession } from "./run/host-session.ts";
import { idleRules } from "./run/idle-rules.ts";
import { newSessionId, requireNewSession } from "./run/new-session-id.ts";
import { recipeOf } from "./run/session-recipe.ts";
import { fileEntries, jobOf, routesOf, systemOptionsOf, type FileRun } from "./run/team-file-job.ts";
import { unknownTools } from "./run/unknown-tools.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";
import { warnInto } from "./log.ts";

/** Runs the team of a file, or an example, and serves the inspector until it is interrupted. */
export async function devCommand(path: string | null, context: CommandContext): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { values, sources } = settings;
  const file = path === null ? exampleTeam() : await readTeamFile(path);
  const run: FileRun = { file, path: path ?? "", cwd: host.cwd(), model: values.model };
  if (values.printConfig) {
    const entries = [...settingEntries(commandSettings.dev, settings), ...fileEntries(run, sources.model)];
    printConfig(entries, { output, json: values.json });
    return exitCodes.done;
  }
  const onFault = warnInto(log);
  await using opened = await openBus(values.bus, { cwd: host.cwd(), env: host.env, onFault });
  const options = { ...(await systemOptionsOf(run)), environment: host.env, onFault };
  const { bus } = opened;
  await using system = await createTeamSystem(bus === null ? options : { ...options, bus });
  const id = values.session ?? newSessionId(Date.now());
  const resume = resumeWords(id, values.bus);
  await requireNewSession(system, id, resume);
  const models = await routesOf(system, run);
  const tell = (text: string): void => (values.json ? output.tell(text) : output.print(`${text}\n`));
  const stage = { host, output, log, settings: values };
  await using inspector = await serveInspector((asked) => createService(system, asked), stage);
  for (const sentence of [...unknownTools(file.script), ...idleRules(run)]) output.tell(printable(sentence));
  tell(`session ${id}: ${path === null ? "an example; " : ""}${printable(models)}`);
  const { exitCode } = await hostSession(jobOf(run, { system, id, models, file: recipeOf(run), resume }), stage);
  if (exitCode === exitCodes.interrupted || inspector.isInterrupted) return exitCode;
  tell(`The inspector stays at ${inspector.url} until Ctrl-C.`);
  await inspector.untilInterrupted();
  return exitCode;
}
