import type { SettingName } from "./setting.ts";
import type { ResolvedSettings } from "./resolve-settings.ts";

/** One setting, its value and where that came from: a flag, a variable, the file, or `default`. */
export interface ConfigEntry {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

/** A token is known to whoever gave it, and to nobody who reads over a shoulder. */
const shownValue = (name: SettingName, value: unknown): unknown =>
  name === "token" && value !== null ? "[redacted]" : value;

/** The entries of the settings that a command has. */
export const settingEntries = (names: readonly SettingName[], { values, sources }: ResolvedSettings): ConfigEntry[] =>
  names
    .filter((name) => name !== "printConfig")
    .map((name) => ({ name, value: shownValue(name, values[name]), source: sources[name] }));
