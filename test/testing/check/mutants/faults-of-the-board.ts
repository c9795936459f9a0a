import { kernel, one, type PlantedFault } from "./planted-fault.ts";

const board = { selfClaim: true };

/** Faults of the task board. */
export const faultsOfTheBoard: readonly PlantedFault[] = [
  {
    name: "gives out a task before its time",
    patches: [kernel("task-commands.ts", 'if (task.status === "blocked")', "if (false)")],
    model: { members: one, board, tasks: [{}, { dependsOn: [1] }] },
    budgets: { task: 1 },
    guarantee: "G13",
    problem: "#2 was taken when it was blocked",
    moves: ["user gives #2 to A"],
  },
  {
    name: "lets a task have a second owner",
    patches: [
      kernel("task-commands.ts", "if (task.owner === owner.token) return null;", "return null;"),
      kernel("task-commands.ts", 'if (task.status !== "in_progress") take(', "take("),
    ],
    model: { members: [{ name: "A" }, { name: "B" }], board, tasks: [{}] },
    budgets: { task: 2 },
    guarantee: "G13",
    problem: "#1 has two owners",
    moves: ["user gives #1 to A", "user gives #1 to B"],
  },
  {
    name: "leaves a task with a member that was cancelled",
    patches: [kernel("effects.ts", 'dropTasksOf(draft, token, "was cancelled");', "")],
    model: { members: one, lifetimes: "persistent", board, tasks: [{}] },
    budgets: { task: 1, replan: 1 },
    guarantee: "G13",
    problem: "#1 is left with A",
    moves: ["user gives #1 to A", "a replan cancels A"],
  },
  {
    name: "forgets to wake somebody for a task",
    patches: [kernel("settle.ts", "if (draft.boardDue) offerTasks(draft);", "")],
    model: { members: one, lifetimes: "persistent", board, tasks: [{}] },
    budgets: {},
    guarantee: "G13",
    problem: "A may take #1 and sleeps",
    moves: ["A ends its turn"],
  },
  {
    name: "wakes a member again and again for a task that it leaves",
    patches: [kernel("task-offers.ts", "const asked = new Set(task.declined);", "const asked = new Set<string>();")],
    model: { members: one, lifetimes: "persistent", board, tasks: [{}] },
    budgets: {},
    guarantee: "G13",
    problem: "#1 woke somebody twice",
    moves: ["A ends its turn", "A delivers"],
  },
  {
    name: "finishes a team with a task to be done",
    patches: [kernel("settle.ts", "if (unfinished > 0) return", "if (unfinished > 99) return")],
    model: { members: one, board, tasks: [{}] },
    budgets: {},
    guarantee: "G8",
    problem: "the team is finished, should be stalled",
    moves: ["A delivers"],
  },
];
