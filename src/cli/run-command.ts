import { resolve } from "node:path";
import { createTeamSystem } from "../index.ts";
import { createService } from "../service/index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { inspectorIfAsked } from "./inspect/serve-inspector.ts";
import { printable } from "./printable.ts";
import { readTeamFile } from "./read-team-file.ts";
import { hostSession } from "./run/host-session.ts";
import { newSessionId } from "./run/new-session-id.ts";
import { makeOutFolder, writeResult } from "./run/out-folder.ts";
import { fileEntries, jobOf, routesOf, systemOptionsOf, type FileRun } from "./run/team-file-job.ts";
import { unknownTools } from "./run/unknown-tools.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";

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
  const out = values.out === null ? null : resolve(host.cwd(), values.out);
  if (out !== null) await makeOutFolder(out);
  const onFault = (fault: unknown): void =>
    log.write("warn", { message: fault instanceof Error ? fault.message : String(fault) });
  await using system = await createTeamSystem({ ...(await systemOptionsOf(run)), environment: host.env, onFault });
  const id = values.session ?? newSessionId(Date.now());
  const models = await routesOf(system, run);
  const stage = { host, output, log, settings: values };
  await using inspector = await inspectorIfAsked((options) => createService(system, options), stage);
  for (const sentence of unknownTools(run.file.script)) output.tell(printable(sentence));
  announce(`session ${id}: ${printable(models)}`, context);
  const { result, exitCode } = await hostSession(jobOf(run, { system, id, models }), stage);
  if (out !== null) await writeResult(out, result);
  if (exitCode !== exitCodes.interrupted) await inspector.stay();
  return exitCode;
}

/** Says by which models it runs; stdout of `--json` is for its objects alone. */
function announce(sentence: string, { output, settings }: CommandContext): void {
  if (settings.values.json) output.tell(sentence);
  else output.print(`${sentence}\n`);
}
