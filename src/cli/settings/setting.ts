import type { LogLevel } from "../log.ts";

/** Everything that a flag or a variable can set. */
export interface Settings {
  /** `memory`, `sqlite`, `sqlite:PATH`, or the addresses of a nats-server, without credentials. */
  readonly bus: string;
  /** null = a new name. */
  readonly session: string | null;
  readonly model: string | null;
  readonly json: boolean;
  readonly record: string | null;
  readonly out: string | null;
  readonly until: number | null;
  readonly deep: boolean;
  /** null = by the kind of check. */
  readonly minutes: number | null;
  readonly coverage: boolean;
  readonly test: string | null;
  readonly logLevel: LogLevel;
  readonly color: boolean;
  /** Serve the inspector while the command runs. */
  readonly inspect: boolean;
  /** Whether the inspector may act. */
  readonly control: boolean;
  /** Whether it is opened in a browser. */
  readonly open: boolean;
  readonly host: string;
  readonly port: number;
  /** null = a random one. */
  readonly token: string | null;
  readonly printConfig: boolean;
  /** Agent types that a worker offers; null = those of its file or module that are for workers. */
  readonly agents: readonly string[] | null;
  /** The module whose agents a worker has; null = those of its team file. */
  readonly config: string | null;
  /** Name of a worker; null = the machine's and the number of the process. */
  readonly name: string | null;
  /** Runs of a worker at once, 0 = unlimited. */
  readonly runs: number;
}

/** The name of a setting. */
export type SettingName = keyof Settings;

/** How one setting is given and read. */
export interface Setting<Value> {
  /** As commander takes it; a flag without an argument is yes or no. */
  readonly flags: string;
  readonly variable: string;
  readonly help: string;
  readonly fallback: Value;
  /** The value in a text of the command line or the environment; throws a TeamError. `place` names where it stood. */
  readonly read: (text: string, place: string) => Value;
}
