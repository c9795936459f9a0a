import { kernel, one, type PlantedFault } from "./planted-fault.ts";

/** Faults of owners, timers and runs that are over, and of what a host is told to do. */
export const faultsOfOwners: readonly PlantedFault[] = [
  {
    name: "listens to a timer that was armed for something else",
    patches: [
      kernel(
        "timers.ts",
        'if (kind !== "grace" || draft.state.team?.grace?.generation !== generation) return false;',
        'if (kind !== "grace" || (draft.state.team?.grace ?? null) === null) return false;',
      ),
    ],
    model: { members: one },
    budgets: { dissolve: 1 },
    guarantee: "G2",
    problem: "timer.due of before was handled",
    moves: ["the team is dissolved"],
  },
  {
    name: "lets an owner claim what it has",
    patches: [
      kernel(
        "gate.ts",
        "if (event.epoch <= state.epoch) return stale(",
        "if (event.epoch < state.epoch) return stale(",
      ),
    ],
    model: { members: one },
    budgets: {},
    guarantee: "G2",
    problem: "owner.claimed of before was handled",
    moves: [],
  },
  {
    name: "counts no time for a permission",
    patches: [
      kernel(
        "timers.ts",
        "for (const request of session.requests) timers.push({ key: `permission:${request.id}`, ...request.deadline });",
        "",
      ),
    ],
    model: { members: one },
    budgets: { permission: 1 },
    guarantee: "G8",
    problem: "nobody counts the time of permission:A-t1:1",
    moves: ["A calls a tool", "A asks for a permission"],
  },
  {
    name: "takes any run of the lead for the current one",
    patches: [
      kernel(
        "gate.ts",
        "return draft.facts.lead(lead.snapshot).live ? { run: lead.run, n: lead.snapshot.context.run } : null;",
        'const { event, command } = draft.input; const n = "run" in event ? event.run : command !== undefined && "call" in command ? command.run : 0; return draft.facts.lead(lead.snapshot).live ? { run: lead.run, n } : null;',
      ),
    ],
    model: { members: one, lead: "hosted" },
    budgets: { late: 1, outcomes: 1 },
    guarantee: "G2",
    problem: "an old run of Lead was listened to (turn.ended)",
    moves: ["an old run of Lead ends its turn"],
  },
  {
    name: "does not say who has changed",
    patches: [
      kernel(
        "roster-draft.ts",
        "    this.#changed.add(token);\n    members.set",
        '    if (member.snapshot.value.work !== "in_progress" || member.run.k > 0) this.#changed.add(token);\n    members.set',
      ),
    ],
    model: { members: one },
    budgets: {},
    guarantee: "G8",
    problem: "A changed and nobody was told",
    moves: ["A calls a tool"],
  },
];
