import { kernel, one, type PlantedFault } from "./planted-fault.ts";

/** Faults of answers, and of what is remembered of commands. */
export const faultsOfAnswers: readonly PlantedFault[] = [
  {
    name: "takes a denial for an approval",
    patches: [kernel("requests.ts", 'verdict: answer.approve ? "approved" : "denied"', 'verdict: "approved"')],
    model: { members: one },
    budgets: { permission: 1 },
    guarantee: "G10",
    problem: "a request is told as approved, should be denied",
    moves: ["A calls a tool", "A asks for a permission", "the request of A is denied"],
  },
  {
    name: "approves what nobody has answered in time",
    patches: [kernel("timers.ts", 'verdict: "timed_out", note: null', 'verdict: "approved", note: null')],
    model: { members: one },
    budgets: { permission: 1, timer: 1 },
    guarantee: "G10",
    problem: "a request is told as approved, should be timed_out",
    moves: ["A calls a tool", "A asks for a permission", "the request of A times out"],
  },
  {
    name: "answers another request than the one that is named",
    patches: [
      kernel(
        "requests.ts",
        "const request = draft.state.requests.find((each) => each.id === answer.request);",
        "const request = draft.state.requests.find((each) => each.id === answer.request) === undefined ? undefined : draft.state.requests[0];",
      ),
    ],
    model: { members: one, callsMax: 2 },
    budgets: { permission: 2 },
    guarantee: "G10",
    problem: "permission.answer answered something else",
    moves: [
      "A calls a tool",
      "A calls a tool 2",
      "A asks for a permission",
      "A asks for a permission 2",
      "request 2 of A is approved",
    ],
  },
  {
    name: "does a command of the host twice",
    patches: [
      kernel(
        "identity.ts",
        'if (command.n > last + 1) return { known: "gap" };\n',
        'if (command.n > last + 1) return { known: "gap" };\n  if (command.n <= last) return { known: "new" };\n',
      ),
    ],
    model: { members: one },
    budgets: { duplicate: 1 },
    guarantee: "G10",
    problem: "message.send was taken a second time",
    moves: ["a command of the host comes twice"],
  },
  {
    name: "does not answer a repetition",
    patches: [kernel("gate.ts", "...(known.reply === null ? {} : { reply: known.reply })", "...{}")],
    model: { members: one },
    budgets: { duplicate: 1 },
    guarantee: "G10",
    problem: "message.send was repeated, and answered otherwise",
    moves: ["a command of the host comes twice"],
  },
  {
    name: "forgets what it has refused",
    patches: [
      kernel(
        "kernel.ts",
        "  remember(draft, command, reply ?? null);\n  return draft;",
        "  void command; return draft;",
      ),
    ],
    model: { members: one },
    budgets: { replan: 1 },
    guarantee: "G10",
    problem: "team.replan was forgotten",
    moves: ["A calls a tool", "A tries to replan"],
  },
];
