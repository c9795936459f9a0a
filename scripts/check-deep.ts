// npm run check:deep: the pack of `npm test`, further: two members with everything at once, four and five with every pair.
import { parseArgs } from "node:util";
import {
  budgetKinds,
  checkModel,
  dagShapes,
  teamModel,
  type CheckOptions,
  type TeamModelOptions,
} from "teamchart/testing";

const { values } = parseArgs({
  options: {
    "states-max": { type: "string", default: "20000000" },
    minutes: { type: "string", default: "60" },
    members: { type: "string", default: "2,4,5" },
  },
});
const oneOfEach = Object.fromEntries(budgetKinds.map((kind) => [kind, 1]));
const limits = { statesMax: Number(values["states-max"]), ms: Number(values.minutes) * 60_000 };

/** The worst verdict so far, as an exit code. */
let exitCode = 0;

function check(what: string, model: TeamModelOptions, options: CheckOptions): void {
  const result = checkModel(teamModel(model), { ...options, limits });
  const { verdict, states, transitions, seconds, bytesPerState, limitsHit, violation } = result;
  const cut = limitsHit.length === 0 ? "" : ` (${limitsHit.join(", ")})`;
  const size = `${states} states, ${transitions} transitions, ${seconds.toFixed(1)} s, ${bytesPerState} B a state`;
  process.stdout.write(`${what}: ${verdict}${cut}, ${size}\n${violation === null ? "" : `${violation.toString()}\n`}`);
  if (verdict === "violated") exitCode = 1;
  else if (verdict === "inconclusive" && exitCode === 0) exitCode = 3;
}

const shown = (model: TeamModelOptions): string =>
  model.members
    .map(({ name, dependsOn = [] }) => (dependsOn.length === 0 ? name : `${name}<-${dependsOn.join("+")}`))
    .join(" ");

for (const count of values.members.split(",").map(Number)) {
  const all = count === 2;
  for (const members of dagShapes(count)) {
    for (const lifetimes of ["oneshot", "persistent"] as const) {
      const model = { members, lifetimes };
      const options: CheckOptions = { budgets: oneOfEach, interventionsMax: all ? budgetKinds.length : 2 };
      check(`${shown(model)}, ${lifetimes}, ${all ? "all budgets" : "every pair"}`, model, options);
    }
  }
}
process.exitCode = exitCode;
