// npm run check:mutants: makes every mutant of the machines and looks for a counterexample, in models from small to large.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkModel, teamModel } from "teamchart/testing";
import { tryMutant, type Kill } from "../test/testing/check/mutants/kill.ts";
import { Equivalence, machineMutants, type MachineMutant } from "../test/testing/check/mutants/machine-mutants.ts";
import { groupKills, pinnedFile, readPinned, shareCaught, writePinned } from "../test/testing/check/mutants/pinned-mutants.ts";
import { StepRecorder } from "../test/testing/check/mutants/step-record.ts";
import { packCases, type PackCase } from "../test/testing/check/pack-cases.ts";

const { values } = parseArgs({
  options: {
    /** Models with more states are left out. */
    "states-max": { type: "string", default: "1000000" },
    /** Only mutants whose id contains this; the file is left as it is. */
    only: { type: "string", default: "" },
  },
});
const statesMax = Number(values["states-max"]);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A model with its size. */
interface Sized {
  readonly model: PackCase;
  readonly place: number;
  readonly states: number;
  readonly transitions: number;
}

/** Explores every model with the machines as they are, and writes their steps down. */
function exploreAll(recorder: StepRecorder): Sized[] {
  const sized: Sized[] = [];
  for (const [place, model] of packCases.entries()) {
    const [name, team, options] = model;
    recorder.begin(place);
    const limits = { statesMax, ms: 3_600_000 };
    const result = checkModel(teamModel({ ...team, kernel: recorder.kernel }), { ...options, limits });
    const { verdict, states, transitions, seconds } = result;
    say(`${name}: ${verdict}, ${states} states, ${seconds.toFixed(1)} s, ${recorder.steps.length} steps so far`);
    if (verdict === "violated") throw new Error(`the machines as they are violate ${result.violation?.toString()}`);
    if (verdict === "holds") sized.push({ model, place, states, transitions });
  }
  return sized.toSorted((a, b) => a.states - b.states);
}

const recorder = new StepRecorder();
const sized = exploreAll(recorder);
const equivalence = new Equivalence(recorder.steps);
const mutants = machineMutants().filter(({ id }) => id.includes(values.only));
const kills = new Map<string, Kill>();
const equivalent: string[] = [];
const survivors = new Map<string, boolean>();

function judge(mutant: MachineMutant): string {
  const differences = equivalence.differences(mutant);
  if (differences.length === 0) {
    equivalent.push(mutant.id);
    return "equivalent";
  }
  // Where none of its steps differs a model can't tell it from the machine as it is.
  const places = new Set(differences.flatMap(({ models }) => [...models]));
  let isCounted = false;
  for (const { model, place, states, transitions } of sized) {
    if (!places.has(place)) continue;
    const trial = tryMutant(mutant, model);
    if (trial.kill !== null) {
      const { kill } = trial;
      kills.set(mutant.id, kill);
      return `caught by ${kill.property.split(" ")[0] ?? ""} in ${kill.moves.length} moves of ${kill.model}`;
    }
    isCounted ||= trial.result.states !== states || trial.result.transitions !== transitions;
  }
  survivors.set(mutant.id, isCounted);
  return isCounted ? "SURVIVES, though the sizes tell" : "SURVIVES";
}

for (const [index, mutant] of mutants.entries()) {
  const start = performance.now();
  const text = judge(mutant);
  const seconds = (performance.now() - start) / 1_000;
  say(`${index + 1}/${mutants.length} ${mutant.id}: ${text}${seconds > 5 ? ` (${seconds.toFixed(0)} s)` : ""}`);
}

/** One row for every kind of mutant of every machine. */
function showTable(): void {
  const rows = new Map<string, { made: number; caught: number; same: number; alive: number }>();
  for (const { id, machine, mutation } of mutants) {
    const key = `${machine.padEnd(8)}${mutation.kind}`;
    const row = rows.get(key) ?? { made: 0, caught: 0, same: 0, alive: 0 };
    rows.set(key, row);
    row.made++;
    if (kills.has(id)) row.caught++;
    else if (survivors.has(id)) row.alive++;
    else row.same++;
  }
  for (const [key, { made, caught, same, alive }] of rows)
    say(`${key.padEnd(28)}${made} made, ${caught} caught, ${same} equivalent, ${alive} survive`);
}

showTable();
const known = existsSync(pinnedFile) ? readPinned().survivors : {};
const found = {
  killed: groupKills(kills),
  equivalent,
  survivors: Object.fromEntries(
    [...survivors].map(([id, isCounted]) => [id, { reason: known[id]?.reason ?? "", isCounted }]),
  ),
};
const share = (100 * shareCaught(found)).toFixed(1);
say(`${mutants.length} mutants: ${kills.size} caught, ${equivalent.length} equivalent, ${survivors.size} survive; ${share} %`);
for (const [id, { reason }] of Object.entries(found.survivors)) say(`${id}: ${reason === "" ? "NO REASON YET" : reason}`);
if (values.only === "") writePinned(found);
