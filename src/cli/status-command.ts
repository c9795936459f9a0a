import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";

/** Lists the sessions that the bus knows; on the memory bus no name can change what there is to see. */
export async function statusCommand(context: CommandContext): Promise<ExitCode> {
  const { bus, json } = context.settings.values;
  const note =
    "Sessions on the memory bus live in the process that runs them and end with it: there are none to be seen from here.";
  context.output.print(json ? jsonLine({ type: "status", bus, sessions: [], note }) : `${note}\n`);
  return exitCodes.done;
}
