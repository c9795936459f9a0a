import { createTeamSystem, TeamError } from "../index.ts";
import { createService } from "../service/index.ts";
import { createRecordingService } from "../service/recording-service.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { attach } from "./inspect/attach.ts";
import { readRecorded } from "./inspect/read-recorded.ts";
import { serveInspector } from "./inspect/serve-inspector.ts";
import { hasBus, openBus } from "./open-bus.ts";
import { printable } from "./printable.ts";
import type { SessionStage } from "./run/host-session.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";
import { warnInto } from "./log.ts";

/**
 * Looks at a running service by its address, or serves the inspector until it is interrupted: for a recording, or for the
 * sessions that the bus has stored, of which nothing is run.
 */
export async function inspectCommand(what: string | null, context: CommandContext): Promise<ExitCode> {
  const { host, output, log, settings } = context;
  const { values } = settings;
  if (values.printConfig) {
    printConfig(settingEntries(commandSettings.inspect, settings), { output, json: values.json });
    return exitCodes.done;
  }
  const stage = { host, output, log, settings: values };
  if (what === null) return inspectStored(stage);
  if (/^https?:\/\//i.test(what)) return attach(what, stage);
  const recorded = await readRecorded(what);
  const { id, state, inputs, violation } = recorded;
  const whose =
    violation === null ? `session ${printable(id)}` : `a counterexample to "${printable(violation.property)}"`;
  const sentence = `recording of ${whose}: ${inputs.length} inputs, team ${printable(state.team?.name ?? "none")}`;
  if (values.json) output.tell(sentence);
  else output.print(`${sentence}\n`);
  await using inspector = await serveInspector((options) => createRecordingService(recorded, options), stage);
  if (!values.json) output.print(`It is served at ${new URL(inspector.url).origin} until Ctrl-C.\n`);
  await inspector.untilInterrupted();
  return exitCodes.done;
}

async function inspectStored(stage: SessionStage): Promise<ExitCode> {
  const { host, output, log, settings } = stage;
  if (!hasBus(settings.bus, host.cwd())) {
    const problem = `there are no stored sessions here (--bus ${settings.bus}); name a recording, the address of a service, or another bus`;
    throw new TeamError("bad_input", { what: "inspect", problem });
  }
  const onFault = warnInto(log);
  await using opened = await openBus(settings.bus, { cwd: host.cwd(), env: host.env, onFault });
  const { bus } = opened;
  await using system = await createTeamSystem({ ...(bus !== null && { bus }), environment: {}, onFault });
  const sentence = `${(await system.knownSessions()).length} stored sessions`;
  if (settings.json) output.tell(sentence);
  else output.print(`${sentence}\n`);
  await using inspector = await serveInspector((options) => createService(system, options), stage);
  if (!settings.json) output.print(`They are served at ${new URL(inspector.url).origin} until Ctrl-C.\n`);
  await inspector.untilInterrupted();
  return exitCodes.done;
}
