import type { Host } from "./host.ts";
import type { Log } from "./log.ts";
import type { Output } from "./output.ts";
import type { ResolvedSettings } from "./settings/resolve-settings.ts";

/** What every command is given beside its arguments. */
export interface CommandContext {
  readonly host: Host;
  readonly output: Output;
  readonly log: Log;
  readonly settings: ResolvedSettings;
}
