import { kernel, one, type PlantedFault } from "./planted-fault.ts";

const persistent = { lifetimes: "persistent" } as const;
const hosted = { members: one, lead: "hosted" } as const;

/** Faults of mail, news and answers. */
export const faultsOfWords: readonly PlantedFault[] = [
  {
    name: "leaves mail unread at idle",
    patches: [
      kernel("run-inputs.ts", "const mail = hasMail(member.unread);", "const mail = member.unread.length > 9;"),
    ],
    model: { members: one, ...persistent },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "A is in_progress/idle with 1 unread",
    moves: ["user writes to A", "A ends its turn"],
  },
  {
    name: "drops mail of the dead without counting it",
    patches: [kernel("mail.ts", "deadLettered: mail.deadLettered + counted.length", "deadLettered: mail.deadLettered")],
    model: { members: one },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "accepted 0, delivered 0, dead-lettered 0, unread -1",
    moves: ["user writes to A", "A delivers"],
  },
  {
    name: "puts the newest mail first",
    patches: [
      kernel(
        "mail.ts",
        "unread: [...member.unread, mail],\n    unreadBytes",
        "unread: [mail, ...member.unread].toSorted((a, b) => b.seq - a.seq),\n    unreadBytes",
      ),
    ],
    model: { members: one },
    budgets: { message: 3 },
    guarantee: "G4",
    problem: "the mailbox of A lost its order",
    moves: ["user writes to A", "user writes to A"],
  },
  {
    name: "keeps a refusal to shut down from the Lead",
    patches: [
      kernel(
        "effects.ts",
        'notifyLead(draft, "shutdown_refused", { about: token, reason: reason === "" ? null : reason });',
        "void reason;",
      ),
    ],
    model: { members: one, ...persistent },
    budgets: { replan: 1 },
    guarantee: "G5",
    problem: "A refused to shut down and nobody was told",
    moves: ["a replan shuts A down", "A refuses to shut down"],
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
      kernel(
        "settle.ts",
        "  answerDuePolls(draft);\n  wakeLead(draft);",
        '  answerDuePolls(draft);\n  if (draft.input.event.type !== "turn.ended") wakeLead(draft);',
      ),
    ],
    model: hosted,
    budgets: {},
    guarantee: "G5",
    problem: "the lead's turn ended with news that it has not seen",
    moves: ["Lead ends its turn"],
  },
  {
    name: "never answers a poll",
    patches: [
      kernel(
        "settle.ts",
        "if (draft.state.notableVersion > poll.since) answerPoll",
        "if (draft.state.notableVersion < poll.since) answerPoll",
      ),
    ],
    model: hosted,
    budgets: {},
    guarantee: "G8",
    problem: "the lead waits for news that is there",
    moves: ["Lead reads", "Lead calls a tool", "Lead waits for news", "A delivers"],
  },
  {
    name: "answers a permission twice",
    patches: [
      kernel(
        "requests.ts",
        "const requests = draft.state.requests.filter((each) => each.id !== request.id);",
        "const requests = draft.state.requests;",
      ),
    ],
    model: { members: one },
    budgets: { permission: 1 },
    guarantee: "G10",
    problem: "A-t1 A-t1:1 was answered and still waits",
    moves: ["A calls a tool", "A asks for a permission", "the request of A is approved"],
  },
  {
    name: "drops the requests of a run that has ended",
    patches: [
      kernel(
        "requests.ts",
        'draft.reply(request.command, { ok: { type: "permission", ...result } });',
        'if (result.verdict !== "cancelled") draft.reply(request.command, { ok: { type: "permission", ...result } });',
      ),
    ],
    model: { members: one },
    budgets: { permission: 1, outcomes: 1 },
    guarantee: "G10",
    problem: "A-t1 A-t1:1 was dropped without an answer",
    moves: ["A calls a tool", "A asks for a permission", "A fails"],
  },
];
