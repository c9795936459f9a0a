import { readVariable, type Environment } from "../../actors/models/model-keys.ts";
import type { SettingName, Settings } from "./setting.ts";
import { settingTable } from "./setting-table.ts";

/** Flags as commander hands them over: texts, and yes or no for those without an argument. */
export type Flags = Readonly<Record<string, unknown>>;

/** Settings with the place that each came from: a flag, a variable, or `default`. */
export interface ResolvedSettings {
  readonly values: Settings;
  readonly sources: { readonly [Name in SettingName]: string };
}

const flagOf = (name: SettingName): string => settingTable[name].flags.split(" ")[0] ?? "";

/** The value of one setting and its place. A flag wins over its variable, and that over the default. */
function resolve<Name extends SettingName>(name: Name, flags: Flags, environment: Environment) {
  const { variable, read, fallback } = settingTable[name];
  const given = flags[name];
  if (typeof given === "string") return { value: read(given, flagOf(name)), source: flagOf(name) };
  // A flag that is absent is undefined, but `--no-color` has commander say `true` without it.
  if (typeof given === "boolean" && given !== fallback) return { value: given, source: flagOf(name) };
  const text = readVariable(environment, variable);
  if (text !== null) return { value: read(text, variable), source: variable };
  if (name === "color" && readVariable(environment, "NO_COLOR") !== null) return { value: false, source: "NO_COLOR" };
  return { value: fallback, source: "default" };
}

/**
 * Every setting of a command: its flag, else its variable, else its default. A setting that is not among `names` keeps
 * its default, whatever the environment says. Throws `bad_input` or `disabled` for a value that cannot be.
 */
export function resolveSettings(
  names: readonly SettingName[],
  flags: Flags,
  environment: Environment,
): ResolvedSettings {
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  // The keys of the table are the names, by its type.
  for (const name of Object.keys(settingTable) as SettingName[]) {
    const own = names.includes(name)
      ? resolve(name, flags, environment)
      : { value: settingTable[name].fallback, source: "default" };
    values[name] = own.value;
    sources[name] = own.source;
  }
  // Each name was given a value of its own setting, one line above.
  return { values, sources } as unknown as ResolvedSettings;
}
