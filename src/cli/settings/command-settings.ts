import type { SettingName } from "./setting.ts";

/** How an inspector is served. */
const served = ["control", "open", "host", "port", "token"] as const;

/** Which settings each command has. A flag of another command is unknown to it, and a variable is not looked at. */
export const commandSettings = {
  run: ["bus", "session", "model", "json", "record", "out", "inspect", ...served, "logLevel", "color", "printConfig"],
  resume: ["bus", "json", "record", "out", "inspect", ...served, "logLevel", "color"],
  demo: ["bus", "session", "json", "record", "out", "inspect", ...served, "logLevel", "color", "printConfig"],
  dev: ["bus", "session", "model", "json", "record", ...served, "logLevel", "color", "printConfig"],
  inspect: ["bus", ...served, "json", "logLevel", "printConfig"],
  attach: ["bus", "json", "logLevel", "color"],
  check: ["deep", "minutes", "coverage", "json", "record", "test", "logLevel", "color", "printConfig"],
  replay: ["until", "json", "logLevel", "printConfig"],
  status: ["bus", "json", "logLevel"],
  worker: ["bus", "agents", "config", "name", "runs", "model", "json", "logLevel", "printConfig"],
  doctor: ["bus", "model", "json", "logLevel", "color"],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** The name of a command. */
export type CommandName = keyof typeof commandSettings;
