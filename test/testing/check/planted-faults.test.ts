import { expect, test } from "vitest";
import { checkPath, teamModel } from "../../../src/testing/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { plantFault } from "./mutants/plant-fault.ts";
import { plantedFaults } from "./mutants/planted-faults.ts";
import { hashesOf, reproduce } from "./mutants/reproduce.ts";
import { loadSources } from "./mutants/sources.ts";

/** Faults of the kernel, each planted in a copy of the sources: checker and runtime are loaded from that copy. */

test.each(plantedFaults.map((fault) => [fault.name, fault] as const))("a kernel that %s", async (_, fault) => {
  const sources = await loadSources(plantFault(fault, temporaryFolder()));
  const model = sources.teamModel.teamModel(fault.model);
  const { violation } = sources.checkModel.checkModel(model, { budgets: fault.budgets });
  if (violation === null) throw new Error("nothing is violated");
  const { property, problem, moves } = violation;
  expect([property.split(" ")[0], problem, moves]).toEqual([fault.guarantee, fault.problem, fault.moves]);
  expect(violation.toString()).toContain(`violated: ${property}\n  ${problem}\n`);

  const real = await reproduce(sources, model, moves, violation);
  expect(real.faults).toEqual([]);
  expect(real.violated).toEqual({ property, moves: moves.length });
  expect(hashesOf(real.lines)).toEqual(hashesOf(violation.toRecording()));
  expect(real.alive).toBe(real.wanted);
});

test.each(plantedFaults.map(({ name, model, moves }) => [name, model, moves] as const))(
  "the way to what a kernel that %s does wrong is harmless in the kernel as it is",
  (_, model, moves) => {
    expect(checkPath(teamModel(model), moves).violation).toBeNull();
  },
);

test("every guarantee is violated by one of them", () => {
  const violated = new Set(plantedFaults.map(({ guarantee }) => guarantee));
  expect(violated).toEqual(new Set([...Array.from({ length: 10 }, (_, index) => `G${index + 1}`), "G13"]));
});

test("a fault whose place is not in the sources is refused", () => {
  const patches = [{ file: "machines/kernel/settle.ts", find: "nowhere to be found", replace: "" }];
  expect(() => plantFault({ name: "lost", patches }, temporaryFolder())).toThrow(/0 places in .*settle.ts read/);
});
