import { kernel, one, type PlantedFault } from "./planted-fault.ts";

const pair = [{ name: "A" }, { name: "B" }];
const persistent = { lifetimes: "persistent" } as const;

/** Faults of runs, work and owners. */
export const faultsOfRuns: readonly PlantedFault[] = [
  {
    name: "has no run fence",
    patches: [
      kernel(
        "gate.ts",
        'if (live === null || live.n !== n) return "not the current run";',
        'if (live === null) return "not the current run";',
      ),
    ],
    model: { members: one },
    budgets: { late: 1, lost: 1 },
    guarantee: "G2",
    problem: "an old run of A was listened to (run.completed)",
    moves: ["an old run of A delivers"],
  },
  {
    name: "has no epoch check",
    patches: [
      kernel(
        "gate.ts",
        'return epoch === draft.state.epoch || epoch === live.run.adopted ? null : "a run of an older owner";',
        "return null;",
      ),
    ],
    model: { members: one },
    budgets: { owner: 1, late: 1 },
    guarantee: "G2",
    problem: "a run of A was listened to that an older owner has (run.completed)",
    moves: ["A delivers for an old owner"],
  },
  {
    name: "takes a report twice",
    patches: [kernel("gate.ts", "if (event.k <= k) return stale(", "if (event.k < 0) return stale(")],
    model: { members: one },
    budgets: { duplicate: 1 },
    guarantee: "G2",
    problem: "report 0 of A was taken after 0",
    moves: ["a report of A comes twice"],
  },
  {
    name: "keeps what a refused command has changed",
    patches: [
      kernel(
        "commands.ts",
        "if (tool !== undefined && member !== undefined) {",
        "if (tool !== undefined && member !== undefined) {\n    draft.changeMember(from, { unread: [] });",
      ),
      kernel(
        "kernel.ts",
        "    draft.discard();\n    draft = new Draft(session, record, steppers, effectHandlers);\n    return finish(refusedDraft",
        "    draft = new Draft(session, record, steppers, effectHandlers);\n    return finish(refusedDraft",
      ),
    ],
    model: { members: one },
    budgets: { dissolve: 1 },
    // In a dissolved team a member's call is refused where it would change something; what it may not ask for is tried in each state.
    guarantee: "G9",
    problem: "team.replan by A changed something",
    moves: ["the team is dissolved"],
  },
  {
    name: "breaks on a message",
    patches: [
      kernel(
        "mail.ts",
        '  if (token === "lead") {\n    deliverToLead(draft, given);',
        '  if (given.kind === "text") throw new Error("out of luck");\n  if (token === "lead") {\n    deliverToLead(draft, given);',
      ),
    ],
    model: { members: pair },
    budgets: { message: 1 },
    guarantee: "G2",
    problem: "the kernel broke: out of luck",
    moves: ["A calls a tool", "A writes to B"],
  },
  {
    name: "overwrites completed work when a follow-up fails",
    patches: [
      kernel(
        "effects.ts",
        "  announceFollowUpFailed(draft, token) {\n",
        '  announceFollowUpFailed(draft, token) {\n    const own = draft.openMember(token);\n    const value = { ...own.snapshot.value, work: "failed", presence: "parked" } as const;\n    own.snapshot = draft.steppers.member.resolve(value, own.snapshot.context);\n    own.reason = "overwritten";\n    draft.changeTeam({ counts: { ...draft.team.counts, completed: draft.team.counts.completed - 1, failed: draft.team.counts.failed + 1 } });\n',
      ),
      kernel(
        "effects.ts",
        'notifyLead(draft, "follow_up_failed", { about: token, reason: failureReason(draft, draft.mustMember(token)) });',
        'notifyLead(draft, "follow_up_failed", { about: token, reason: "overwritten" });',
      ),
    ],
    model: { members: one, ...persistent },
    budgets: { outcomes: 1, message: 1 },
    guarantee: "G3",
    problem: "the work of A was undone",
    moves: ["A delivers", "user writes to A", "A fails"],
  },
];
