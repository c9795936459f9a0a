import { jsonLine } from "../json-line.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";
import type { ConfigEntry } from "./config-entries.ts";

const shown = (value: unknown): string =>
  value === null ? "-" : printable(typeof value === "string" ? value : (JSON.stringify(value) ?? "-"));

/** Prints what a command would run with, an entry a line: name, value, and in brackets where it came from. */
export function printConfig(
  entries: readonly ConfigEntry[],
  { output, json }: { output: Output; json: boolean },
): void {
  if (json) {
    const settings = Object.fromEntries(entries.map(({ name, value, source }) => [name, { value, source }]));
    output.print(jsonLine({ type: "config", settings }));
    return;
  }
  const width = Math.max(...entries.map(({ name }) => name.length));
  for (const { name, value, source } of entries) {
    output.print(`${printable(name).padEnd(width)}  ${shown(value)}  (${source})\n`);
  }
}
