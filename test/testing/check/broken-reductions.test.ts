import { expect, test } from "vitest";
import { checkModel, teamModel } from "../../../src/testing/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import {
  brokenReductions,
  deafReductions,
  hidingReductions,
  type BrokenReduction,
} from "./mutants/faults-of-reductions.ts";
import { plantFault } from "./mutants/plant-fault.ts";
import { plantedFaults } from "./mutants/planted-faults.ts";
import { loadSources } from "./mutants/sources.ts";
import { noLoss, seeReduced, seeWhole } from "./whole-search.ts";

/**
 * That the search loses nothing (reductions.test.ts) tells something only if a search that leaves out too much is noticed.
 * Here each reduction is made to do so in a copy of the checker.
 */

const wholes = new Map<string, ReturnType<typeof seeWhole>>();

/** The whole search of a case; several faults are seen in the same one. */
function wholeOf({ model, check }: BrokenReduction, isSymmetric: boolean): ReturnType<typeof seeWhole> {
  const key = JSON.stringify([model, check]);
  const whole = wholes.get(key) ?? seeWhole(model, check, isSymmetric);
  wholes.set(key, whole);
  return whole;
}

test.each(brokenReductions.map((each) => [each.name, each] as const))(
  "a search that %s is noticed",
  async (_, broken) => {
    const { model, check } = broken;
    const isSymmetric = check.symmetry === true || model.members.every(({ dependsOn = [] }) => dependsOn.length === 0);
    const whole = wholeOf(broken, isSymmetric).seen;
    const { checkModel: faulty } = await loadSources(plantFault(broken, temporaryFolder()));
    const search = faulty.checkModel;
    const { result, loss } = seeReduced(model, check, { isSymmetric, whole, search });
    const sound = seeReduced(model, check, { isSymmetric, whole, search: checkModel });
    expect(sound.loss).toEqual(noLoss);
    expect(loss).not.toEqual(noLoss);
    expect(result.states).toBeLessThan(sound.result.states);
  },
);

test.each(hidingReductions.map((each) => [each.name, each] as const))(
  "a search that %s misses a fault of the kernel that planted-faults.test.ts expects",
  async (name, { patches, hides }) => {
    const fault = plantedFaults.find((each) => each.name === hides);
    if (fault === undefined) throw new Error(`no planted fault ${hides}`);
    const both = { name, patches: [...fault.patches, ...patches] };
    const { checkModel: faulty, teamModel: own } = await loadSources(plantFault(both, temporaryFolder()));
    const { violation } = faulty.checkModel(own.teamModel(fault.model), { budgets: fault.budgets });
    expect(violation).toBeNull();
  },
);

test.each(deafReductions.map((each) => [each.name, each] as const))(
  "a search that %s says of a violated property that it holds",
  async (_, broken) => {
    const { model, check } = broken;
    const { checkModel: faulty, teamModel: own } = await loadSources(plantFault(broken, temporaryFolder()));
    expect(checkModel(teamModel(model), check).verdict).toBe("violated");
    expect(faulty.checkModel(own.teamModel(model), check).verdict).toBe("holds");
  },
);

test("a change of the owner is never taken for silent: whatever else it changes, it touches the session", () => {
  const model = teamModel({ members: [{ name: "A" }], lifetimes: "persistent" });
  const untold: string[] = [];
  let changes = 0;
  const watched: typeof model = {
    ...model,
    step(session, move) {
      const { epoch } = session;
      const step = model.step(session, move);
      if (session.epoch !== epoch) {
        changes++;
        if (step.applied.touched.size === 0) untold.push(move.name);
      }
      return step;
    },
  };
  checkModel(watched, { budgets: { owner: 2, lost: 1, outcomes: 1 } });
  expect(changes).toBeGreaterThan(10);
  expect(untold).toEqual([]);
});
