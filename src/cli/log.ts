import { jsonLine } from "./json-line.ts";

/** From nothing to everything. */
export const logLevels = ["silent", "error", "warn", "info", "debug"] as const;

/** How much is logged. */
export type LogLevel = (typeof logLevels)[number];

/** Writes log lines: fields, not prose. */
export interface Log {
  readonly level: LogLevel;
  write(
    level: Exclude<LogLevel, "silent">,
    fields: { readonly message: string } & Readonly<Record<string, unknown>>,
  ): void;
}

/** Where a system is to report what belongs to nobody's call: a line of this log, as a warning. */
export const warnInto =
  (log: Log) =>
  (fault: unknown): void =>
    log.write("warn", { message: fault instanceof Error ? fault.message : String(fault) });

/** A log of one JSON object a line; what lies above `level` is left out. */
export function createLog(level: LogLevel, stream: { write(text: string): unknown }): Log {
  return {
    level,
    write(lineLevel, fields) {
      if (logLevels.indexOf(lineLevel) > logLevels.indexOf(level)) return;
      stream.write(jsonLine({ type: "log", level: lineLevel, at: Date.now(), ...fields }));
    },
  };
}
