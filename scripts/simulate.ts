// npm run simulate -- --seeds N [--seed S] [--out DIR]: simulates sessions seed by seed, and says what is wrong first.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { simulate } from "../src/testing/simulate/simulate.ts";

const { values } = parseArgs({
  options: {
    // The first seed. Alone, it is the only one, and its verdict is printed whatever it is.
    seed: { type: "string" },
    // How many seeds are run, one after the other.
    seeds: { type: "string" },
    // Where the recording and the trace of a seed are written that finds something.
    out: { type: "string", default: ".teamchart/simulate" },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A whole number as it was given, or the end. */
function whole(name: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given);
  if (Number.isSafeInteger(value) && value >= 0 && given !== "") return value;
  process.stderr.write(`--${name} is a whole number, not ${JSON.stringify(given)}\n`);
  process.exit(2);
}

const first = whole("seed", values.seed, 1);
const count = whole("seeds", values.seeds, values.seed === undefined ? 1_000 : 1);
const isOne = values.seeds === undefined && values.seed !== undefined;
const states = new Map<string, number>();
const faults = new Map<string, number>();
let violated = 0;
let inputs = 0;

const add = (counts: Map<string, number>, key: string, by: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + by);
const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([key, number]) => `${number} ${key}`).join(", ") || "none";

const startedMs = performance.now();
for (let seed = first; seed < first + count; seed += 1) {
  const result = await simulate({ seed });
  inputs += result.inputs;
  add(states, result.state, 1);
  for (const [fault, number] of result.faults) add(faults, fault, number);
  if (isOne || result.verdict === "violated") say(String(result));
  if (result.verdict === "holds") continue;
  violated += 1;
  mkdirSync(values.out, { recursive: true });
  const path = join(values.out, `seed-${seed}`);
  writeFileSync(`${path}.ndjson`, `${result.toRecording().join("\n")}\n`, { mode: 0o600 });
  writeFileSync(`${path}.trace`, `${result.trace.join("\n")}\n`, { mode: 0o600 });
  say(`  again: npm run simulate -- --seed ${seed}`);
  say(`  recording: teamchart replay ${path}.ndjson`);
}
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
say(
  `${count} seeds, ${violated} violated; ${inputs} inputs in ${seconds} s; teams: ${list(states)}; faults: ${list(faults)}`,
);
process.exitCode = violated > 0 ? 1 : 0;
