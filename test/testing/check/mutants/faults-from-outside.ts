import { kernel, one, type PlantedFault } from "./planted-fault.ts";

/** Faults of what comes from outside: results of calls that wait for them, and wake-ups. */
export const faultsFromOutside: readonly PlantedFault[] = [
  {
    name: "takes a second result of one call",
    patches: [
      kernel("outside.ts", "each.call === call && each.answer === null && isMeant(", "each.call === call && isMeant("),
    ],
    model: { members: one },
    budgets: { outside: 2 },
    guarantee: "G10",
    problem: "a call of A was answered twice",
    moves: ["A calls a tool", "call of A hears from outside too early", "call of A hears from outside again"],
  },
  {
    name: "forgets what a lost run waited for",
    patches: [kernel("outside.ts", "!run.closing && run.calls.includes(call)", "false")],
    model: { members: one },
    budgets: { outside: 1, lost: 1 },
    guarantee: "G10",
    problem: "an open call of A is forgotten outside",
    moves: ["A calls a tool", "A asks outside", "the run of A is lost"],
  },
  {
    name: "keeps a run waiting for what has come",
    patches: [kernel("outside.ts", "waited ? externals.filter((each) => each !== call) : externals", "externals")],
    model: { members: one },
    budgets: { outside: 1 },
    guarantee: "G10",
    problem: "A waits for what was answered",
    moves: ["A calls a tool", "A asks outside", "call of A hears from outside"],
  },
  {
    name: "keeps a call waiting whose run has ended",
    patches: [kernel("effects.ts", "    leaveOutside(draft, token);\n", "")],
    model: { members: one },
    budgets: { outside: 1, outcomes: 1 },
    guarantee: "G10",
    problem: "a call of A outlived its run",
    moves: ["A calls a tool", "A asks outside", "A fails"],
  },
  {
    name: "lets a lead sleep through a schedule",
    patches: [kernel("mail-gate.ts", 'if (isWake(letter) && tokens.includes("lead"))', "if (false)")],
    model: { members: one, lead: "hosted" },
    budgets: { outside: 1, dissolve: 1 },
    guarantee: "G8",
    problem: "the user spoke to the lead and it does not answer",
    moves: ["Lead reads", "Lead ends its turn", "the team is aborted", "a schedule wakes Lead"],
  },
];
