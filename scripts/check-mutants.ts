// npm run check:mutants: makes every mutant of the machines and looks for a counterexample, in models from small to large.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { hunt, modelsUpTo } from "../test/testing/check/mutants/hunt.ts";
import { machineMutants } from "../test/testing/check/mutants/machine-mutants.ts";
import {
  groupKills,
  killsOf,
  pinnedFile,
  readPinned,
  shareCaught,
  writePinned,
} from "../test/testing/check/mutants/pinned-mutants.ts";

const { values } = parseArgs({
  options: {
    // Models with more states are left out.
    "states-max": { type: "string", default: "24000" },
    // Only mutants whose id contains this; the file is left as it is then.
    only: { type: "string", default: "" },
    // Hunts those anew as well that are still caught on the path that is kept: the machines may allow a shorter one now.
    all: { type: "boolean", default: false },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const statesMax = Number(values["states-max"]);
const mutants = machineMutants().filter(({ id }) => id.includes(values.only));
const models = modelsUpTo(statesMax);
const pinned = existsSync(pinnedFile) ? readPinned() : null;
const known = new Map(pinned === null || values.all ? [] : killsOf(pinned));
const { kills, equivalent, survivors } = hunt({ mutants, models, known, say });

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
const found = {
  models: models.map(([name]) => name),
  killed: groupKills(kills),
  equivalent,
  survivors: Object.fromEntries(
    [...survivors].map(([id, isCounted]) => [id, { reason: pinned?.survivors[id]?.reason ?? "", isCounted }]),
  ),
};
const share = (100 * shareCaught(found)).toFixed(1);
say(
  `${mutants.length} mutants: ${kills.size} caught, ${equivalent.length} equivalent, ${survivors.size} survive; ${share} %`,
);
for (const [id, { reason }] of Object.entries(found.survivors))
  say(`${id}: ${reason === "" ? "NO REASON YET" : reason}`);
if (values.only === "") writePinned(found);
