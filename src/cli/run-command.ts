import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { openBus } from "./open-bus.ts";
import { readTeamFile } from "./read-team-file.ts";
import { newSessionId } from "./run/new-session-id.ts";
import { fileEntries, type FileRun } from "./run/team-file-job.ts";
import { runFile } from "./run-file.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";
import { warnInto } from "./log.ts";

/** Runs the team of a file to its end. */
export async function runCommand(path: string, context: CommandContext): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { values, sources } = settings;
  const run: FileRun = { file: await readTeamFile(path), path, cwd: host.cwd(), model: values.model };
  if (values.printConfig) {
    const entries = [...settingEntries(commandSettings.run, settings), ...fileEntries(run, sources.model)];
    printConfig(entries, { output, json: values.json });
    return exitCodes.done;
  }
  const onFault = warnInto(log);
  await using opened = await openBus(values.bus, { cwd: host.cwd(), env: host.env, onFault });
  const id = values.session ?? newSessionId(Date.now());
  return await runFile(run, { id, bus: opened.bus, context, isNew: true });
}
