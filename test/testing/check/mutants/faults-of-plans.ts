import { chain, kernel, one, type PlantedFault } from "./planted-fault.ts";

/** Faults of which plans are taken. */
export const faultsOfPlans: readonly PlantedFault[] = [
  {
    name: "takes a plan that was made on an old one",
    patches: [
      kernel(
        "replan-check.ts",
        "if (changed.length > 0 || revision > draft.state.revision) {",
        "if (changed.length > 99) {",
      ),
    ],
    model: { members: one },
    budgets: {},
    guarantee: "G6",
    problem: "a plan that is made on a plan to come was handled",
    moves: [],
  },
  {
    name: "takes a plan that makes a cycle",
    patches: [
      kernel("replan-check.ts", "if (cycle === null) return;", "if (cycle === null || cycle !== null) return;"),
    ],
    model: { members: chain },
    budgets: {},
    guarantee: "G6",
    problem: "a plan that makes a cycle was handled",
    moves: [],
  },
  {
    name: "cancels nobody who works",
    patches: [
      kernel(
        "replan-check.ts",
        'if (work === "completed" || (work === "cancelled"',
        'if (work === "in_progress" || work === "completed" || (work === "cancelled"',
      ),
    ],
    model: { members: one },
    budgets: { replan: 1 },
    guarantee: "G6",
    problem: "A is in_progress and could not be cancelled",
    moves: ["a replan cancels A"],
  },
];
