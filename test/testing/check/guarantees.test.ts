import { expect, test } from "vitest";
import { checkModel, teamModel, type Budgets } from "../../../src/testing/index.ts";
import { guarantees } from "../../../src/testing/check/guarantees.ts";
import { faultyKernel, type FaultName } from "./faulty-kernel.ts";

const chain = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];

test("the guarantees are G1 to G10", () => {
  expect(guarantees.map(({ name }) => name.split(" ")[0])).toEqual(
    Array.from({ length: 10 }, (_, index) => `G${index + 1}`),
  );
});

test.each<[FaultName, Budgets, string]>([
  ["startsEarly", {}, "G1"],
  ["fencesNothing", { late: 1 }, "G2"],
  ["breaks", { message: 1 }, "G2"],
  ["losesMail", { message: 1 }, "G4"],
  ["failsInSilence", { outcomes: 1 }, "G5"],
  ["forgetsUpstreams", { replan: 1 }, "G6"],
  ["neverForces", { dissolve: 1 }, "G7"],
  ["neverStalls", { outcomes: 1 }, "G8"],
  ["letsAnybodyPlan", { replan: 1 }, "G9"],
  ["answersTwice", { permission: 1 }, "G10"],
  ["answersNobody", { permission: 1 }, "G10"],
])("a kernel that %s, with budgets %o, violates %s, and its path can be walked again", (fault, budgets, guarantee) => {
  const model = teamModel({ members: chain, kernel: faultyKernel(fault) });
  const { verdict, violation } = checkModel(model, { budgets });
  expect(verdict).toBe("violated");
  expect(violation?.property.split(" ")[0]).toBe(guarantee);
  expect(violation?.toString()).toContain(`violated: ${violation?.property}`);
  expect(violation?.toTest()).toContain("Found with another kernel");
});

test("a kernel that undoes work violates a guarantee about it", () => {
  const { violation } = checkModel(teamModel({ members: chain, kernel: faultyKernel("undoesWork") }));
  expect(violation).not.toBeNull();
});

test("without the guarantees a broken kernel goes unnoticed", () => {
  const model = teamModel({ members: chain, kernel: faultyKernel("failsInSilence") });
  expect(checkModel(model, { budgets: { outcomes: 1 }, guarantees: false }).verdict).toBe("holds");
});
