import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";
import type { SettingName } from "./settings/setting.ts";

/** The settings of `status`. */
export const statusSettings = ["bus", "json", "logLevel"] as const satisfies readonly SettingName[];

/** Lists the sessions that the bus knows. */
export async function statusCommand(_session: string | null, context: CommandContext): Promise<ExitCode> {
  const { bus, json } = context.settings.values;
  const note =
    "Sessions on the memory bus live in the process that runs them and end with it: there are none to be seen from here.";
  context.output.print(json ? jsonLine({ type: "status", bus, sessions: [], note }) : `${note}\n`);
  return exitCodes.done;
}
