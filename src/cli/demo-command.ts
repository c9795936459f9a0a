import { join, resolve } from "node:path";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { newSessionId } from "./run/new-session-id.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import type { ResolvedSettings } from "./settings/resolve-settings.ts";
import { printConfig } from "./settings/print-config.ts";

/** Runs a team on the files of a folder. What it is made of is loaded only here: no other command needs a parser. */
export async function demoCommand(
  dir: string,
  { host, output, log, settings: given }: CommandContext,
): Promise<ExitCode> {
  const settings = inMemory(given);
  const { values } = settings;
  if (values.printConfig) {
    printConfig(settingEntries(commandSettings.demo, settings), { output, json: values.json });
    return exitCodes.done;
  }
  const { runDemo } = await import("./demo/run-demo.ts");
  const session = values.session ?? newSessionId(Date.now());
  const out = resolve(host.cwd(), values.out ?? join(".teamchart", "demo", session));
  return runDemo({ dir: resolve(host.cwd(), dir), out, session, settings: values, host, output, log });
}

/** What the reviewers find is in this process alone, so a demo can't be gone on with: it lives in memory, unless told otherwise. */
const inMemory = (settings: ResolvedSettings): ResolvedSettings =>
  settings.sources.bus === "default" ? { ...settings, values: { ...settings.values, bus: "memory" } } : settings;
