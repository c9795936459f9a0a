import type { Budgets, TeamModelOptions } from "../../../../src/testing/index.ts";

/** One place of the sources made wrong. The text to be found stands there exactly once. */
export interface Patch {
  /** Path within src. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A fault that the kernel could have, put into a copy of the sources, and how it is caught. */
export interface PlantedFault {
  /** What the kernel does wrong. */
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly model: TeamModelOptions;
  readonly budgets: Budgets;
  /** The guarantee that is violated, and what is said to be wrong. */
  readonly guarantee: string;
  readonly problem: string;
  /** The shortest way there. */
  readonly moves: readonly string[];
}

const kernel = (file: string, find: string, replace: string): Patch => ({ file: `machines/kernel/${file}`, find, replace });

const one = [{ name: "A" }];
const pair = [{ name: "A" }, { name: "B" }];
const chain = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
const fan = [{ name: "A" }, { name: "B" }, { name: "C", dependsOn: ["A", "B"] }];
const persistent = { lifetimes: "persistent" } as const;
const hosted = { members: one, lead: "hosted" } as const;

/** Faults of the graph, of plans and of the team. */
const ofTheTeam: readonly PlantedFault[] = [
  {
    name: "unblocks on any upstream",
    patches: [
      kernel("schedule.ts", "if (unmet === 0) startIfReady(draft, token);", "startIfReady(draft, token);"),
      kernel("schedule.ts", "const ready = draft.roster.unmet(member.index) === 0 && draft", "const ready = draft"),
    ],
    model: { members: fan },
    budgets: {},
    guarantee: "G1",
    problem: "C was started while B is in_progress",
    moves: ["A delivers"],
  },
  {
    name: "counts a failed upstream as done",
    patches: [
      kernel("schedule.ts", 'if (upstreamFailure === "skip") satisfyDownstream(draft, failed);', "satisfyDownstream(draft, failed);"),
    ],
    model: { members: chain },
    budgets: { outcomes: 1 },
    guarantee: "G1",
    problem: "B was started while A is failed",
    moves: ["A fails"],
  },
  {
    name: "keeps a cancelled upstream in a replan",
    patches: [
      kernel(
        "replan-check.ts",
        "[...new Set(tokens.map((token) => replaced.get(token) ?? token))]",
        "[...new Set(tokens)]",
      ),
    ],
    model: { members: chain },
    budgets: { replan: 1 },
    guarantee: "G6",
    problem: "B waits for A, who was replaced",
    moves: ["a replan replaces A"],
  },
  {
    name: "does not count upstreams anew after a replan",
    patches: [kernel("replan.ts", "for (const token of draft.team.order) recountUnmet(draft, token);", "")],
    model: { members: chain },
    budgets: { replan: 1 },
    guarantee: "G1",
    problem: "New2 was started while A is in_progress",
    moves: ["a replan replaces B"],
  },
  {
    name: "forgets a blocked member when it dissolves gracefully",
    patches: [kernel("dissolve.ts", 'const resting = new Set(["parked", "idle"]);', 'const resting = new Set(["idle"]);')],
    model: { members: chain },
    budgets: { dissolve: 1 },
    guarantee: "G7",
    problem: "the team is dissolving and B is parked",
    moves: ["the team is dissolved"],
  },
  {
    name: "forgets a blocked member when it dissolves by force",
    patches: [
      kernel("dissolve.ts", '(presence) => presence !== "shutdown")', '(presence) => presence === "running" || presence === "draining")'),
    ],
    model: { members: chain },
    budgets: { dissolve: 1 },
    guarantee: "G7",
    problem: "the team is dissolving after team.dissolve",
    moves: ["the team is aborted"],
  },
  {
    name: "arms no grace timer",
    patches: [kernel("dissolve.ts", "grace: { generation: draft.record.seq, armedAt: draft.input.at, ms },", "grace: null,")],
    model: { members: one },
    budgets: { dissolve: 1 },
    guarantee: "G7",
    problem: "the team is dissolving without its grace timer",
    moves: ["the team is dissolved"],
  },
  {
    name: "never says that a team has stalled",
    patches: [kernel("settle.ts", 'return counts.working > 0 ? "running" : "stalled";', 'return "running";')],
    model: { members: one },
    budgets: { outcomes: 1 },
    guarantee: "G8",
    problem: "the team is running, should be stalled",
    moves: ["A fails"],
  },
  {
    name: "lets members replan",
    patches: [kernel("commands.ts", "if (tool !== undefined && member !== undefined) {", "if (false) {")],
    model: { members: one },
    budgets: { replan: 1 },
    guarantee: "G9",
    problem: "A was allowed team.replan",
    moves: ["A calls a tool","A tries to replan"],
  },
];

/** Faults of runs, work and owners. */
const ofRuns: readonly PlantedFault[] = [
  {
    name: "has no run fence",
    patches: [
      kernel("gate.ts", 'if (live === null || live.n !== n) return "not the current run";', 'if (live === null) return "not the current run";'),
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
      kernel("gate.ts", 'return epoch === draft.state.epoch || epoch === live.run.adopted ? null : "a run of an older owner";', "return null;"),
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
      kernel("kernel.ts", "    draft.discard();\n    draft = new Draft(session, record, steppers, effectHandlers);\n    return finish(refusedDraft", "    draft = new Draft(session, record, steppers, effectHandlers);\n    return finish(refusedDraft"),
    ],
    model: { members: one },
    budgets: { dissolve: 1 },
    guarantee: "G2",
    problem: "a refused input changed A",
    moves: ["A calls a tool","A tries to dissolve the team"],
  },
  {
    name: "breaks on a message",
    patches: [kernel("mail.ts", "  draft.visible = true;\n  if (token === \"lead\") {", "  draft.visible = true;\n  if (mail.kind === \"text\") throw new Error(\"out of luck\");\n  if (token === \"lead\") {")],
    model: { members: pair },
    budgets: { message: 1 },
    guarantee: "G2",
    problem: "the kernel broke: out of luck",
    moves: ["A calls a tool","A writes to B"],
  },
  {
    name: "overwrites completed work when a follow-up fails",
    patches: [
      kernel(
        "effects.ts",
        "  announceFollowUpFailed: (draft, token) =>\n",
        '  announceFollowUpFailed: (draft, token) => {\n    const own = draft.openMember(token);\n    const value = { ...own.snapshot.value, work: "failed", presence: "parked" } as const;\n    own.snapshot = draft.steppers.member.resolve(value, own.snapshot.context);\n    own.reason = "overwritten";\n    draft.changeTeam({ counts: { ...draft.team.counts, completed: draft.team.counts.completed - 1, failed: draft.team.counts.failed + 1 } });\n',
      ),
      kernel("effects.ts", 'notifyLead(draft, "follow_up_failed", { about: token, reason: failureReason(draft, draft.mustMember(token)) }),', 'notifyLead(draft, "follow_up_failed", { about: token, reason: "overwritten" });\n  },'),
    ],
    model: { members: one, ...persistent },
    budgets: { outcomes: 1, message: 1 },
    guarantee: "G3",
    problem: "the work of A was undone",
    moves: ["A delivers","user writes to A","A fails"],
  },
];

/** Faults of mail, news and answers. */
const ofWords: readonly PlantedFault[] = [
  {
    name: "leaves mail unread at idle",
    patches: [kernel("run-inputs.ts", "const mail = member.unread.length > 0;", "const mail = member.unread.length > 9;")],
    model: { members: one, ...persistent },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "A is in_progress/idle with 1 unread",
    moves: ["user writes to A","A ends its turn"],
  },
  {
    name: "drops mail of the dead without counting it",
    patches: [kernel("mail.ts", "deadLettered: mail.deadLettered + counted.length", "deadLettered: mail.deadLettered")],
    model: { members: one },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "accepted 0, delivered 0, dead-lettered 0, unread -1",
    moves: ["user writes to A","A delivers"],
  },
  {
    name: "puts the newest mail first",
    patches: [kernel("mail.ts", "unread: [...member.unread, mail],\n    unreadBytes", "unread: [mail, ...member.unread].toSorted((a, b) => b.seq - a.seq),\n    unreadBytes")],
    model: { members: one },
    budgets: { message: 3 },
    guarantee: "G4",
    problem: "the mailbox of A lost its order",
    moves: ["user writes to A","user writes to A"],
  },
  {
    name: "fails in silence",
    patches: [kernel("effects.ts", 'notifyLead(draft, "member_failed", { about: token, reason });', "")],
    model: { members: one },
    budgets: { outcomes: 1 },
    guarantee: "G5",
    problem: "A failed in silence",
    moves: ["A fails"],
  },
  {
    name: "loses a notice while the lead ends its turn",
    patches: [
      kernel(
        "run-inputs.ts",
        'case "turn.ended":\n      return { type: "turn.ended", unseen: draft.lead.unread.some((mail) => mail.wakes) };',
        'case "turn.ended":\n      return { type: "turn.ended", unseen: false };',
      ),
      kernel("settle.ts", "  answerDuePolls(draft);\n  wakeLead(draft);", '  answerDuePolls(draft);\n  if (draft.input.event.type !== "turn.ended") wakeLead(draft);'),
    ],
    model: hosted,
    budgets: {},
    guarantee: "G5",
    problem: "the lead sleeps on news",
    moves: ["Lead ends its turn"],
  },
  {
    name: "never answers a poll",
    patches: [kernel("settle.ts", "if (draft.state.notableVersion > poll.since) answerPoll", "if (draft.state.notableVersion < poll.since) answerPoll")],
    model: hosted,
    budgets: {},
    guarantee: "G8",
    problem: "the lead waits for news that is there",
    moves: ["Lead reads","Lead calls a tool","Lead waits for news","A delivers"],
  },
  {
    name: "answers a permission twice",
    patches: [kernel("requests.ts", "const requests = draft.state.requests.filter((each) => each.id !== request.id);", "const requests = draft.state.requests;")],
    model: { members: one },
    budgets: { permission: 1 },
    guarantee: "G10",
    problem: "A-t1 A-t1:1 was answered and still waits",
    moves: ["A calls a tool","A asks for a permission","the request of A is approved"],
  },
  {
    name: "drops the requests of a run that has ended",
    patches: [kernel("requests.ts", "draft.reply(request.command, { ok: { type: \"permission\", ...result } });", "if (result.verdict !== \"cancelled\") draft.reply(request.command, { ok: { type: \"permission\", ...result } });")],
    model: { members: one },
    budgets: { permission: 1, outcomes: 1 },
    guarantee: "G10",
    problem: "A-t1 A-t1:1 was dropped without an answer",
    moves: ["A calls a tool","A asks for a permission","A fails"],
  },
];

/** Every planted fault. */
export const plantedFaults: readonly PlantedFault[] = [...ofTheTeam, ...ofRuns, ...ofWords];
