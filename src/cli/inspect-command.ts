import { createRecordingService } from "../service/recording-service.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { attach } from "./inspect/attach.ts";
import { readRecorded } from "./inspect/read-recorded.ts";
import { serveInspector, untilInterrupted } from "./inspect/serve-inspector.ts";
import { printable } from "./printable.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";

/** Looks at a running service by its address, or serves the inspector for a recording until it is interrupted. */
export async function inspectCommand(what: string, context: CommandContext): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { values } = settings;
  if (values.printConfig) {
    printConfig(settingEntries(commandSettings.inspect, settings), { output, json: values.json });
    return exitCodes.done;
  }
  const stage = { host, output, log, settings: values };
  if (/^https?:\/\//i.test(what)) return attach(what, stage);
  const recorded = await readRecorded(what);
  const { id, state, inputs } = recorded;
  const sentence = `recording of session ${printable(id)}: ${inputs.length} inputs, team ${printable(state.team?.name ?? "none")}`;
  if (values.json) output.tell(sentence);
  else output.print(`${sentence}\n`);
  await using inspector = await serveInspector((options) => createRecordingService(recorded, options), stage);
  if (!values.json) output.print(`It is served at ${new URL(inspector.url).origin} until Ctrl-C.\n`);
  await untilInterrupted(stage);
  return exitCodes.done;
}
