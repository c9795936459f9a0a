import { chain, kernel, one, type PlantedFault } from "./planted-fault.ts";

const three = [...chain, { name: "C", dependsOn: ["B"] }];

const two = [{ name: "A" }, { name: "B" }];

/** Faults of who gets mail, of what is told of it, and of news. */
export const faultsOfLetters: readonly PlantedFault[] = [
  {
    name: "counts as read what its reader has not named",
    patches: [
      kernel(
        "mail.ts",
        "const taken = owner.unread.filter((mail) => read.has(mail.id));",
        "const taken = owner.unread;",
      ),
      kernel(
        "mail.ts",
        "const unread = owner.unread.filter((mail) => !read.has(mail.id));",
        "const unread: typeof owner.unread = []; void read;",
      ),
    ],
    model: { members: one },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "A has not read what counts as read (instruction), when A reads 0 of 1",
    moves: ["user writes to A"],
  },
  {
    name: "lets members write to whom they may not",
    patches: [
      kernel(
        "mail-gate.ts",
        'token === "lead" || comms === "all") return null;',
        'token === "lead" || comms !== "lead") return null;',
      ),
    ],
    model: { members: three, comms: "dag" },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "A wrote to C (comms: dag)",
    moves: ["A calls a tool", "A writes to C"],
  },
  {
    name: "leaves somebody out of a broadcast",
    patches: [
      kernel(
        "mail-gate.ts",
        "const members = open.filter((token) => token !== sender && isOpen(draft, token));",
        'const members = open.filter((token) => token !== sender && isOpen(draft, token) && draft.memberFacts(token).work !== "blocked");',
      ),
    ],
    model: { members: chain },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "B did not get a message to *",
    moves: ["user writes to all"],
  },
  {
    name: "says that mail is from somebody else",
    patches: [kernel("mail-gate.ts", 'from: sender === "user" ? "user" : nameOf(draft, sender),', 'from: "user",')],
    model: { members: one },
    budgets: {},
    guarantee: "G4",
    problem: "a message of A is said to be from user, when A asks for an instruction",
    moves: [],
  },
  {
    name: "lets members instruct",
    patches: [
      kernel("mail-gate.ts", 'kind: fromMember ? "text" : send.kind,', "kind: send.kind,"),
      kernel("mail-gate.ts", "  const fromMember = draft.member(sender) !== undefined;\n", ""),
    ],
    model: { members: one },
    budgets: {},
    guarantee: "G4",
    problem: "A sent instruction, when A asks for an instruction",
    moves: [],
  },
  {
    name: "tells no sender that its mail is dead",
    patches: [
      kernel(
        "mail.ts",
        "if (sender !== undefined && isOpen(draft, sender.token)) notifyMember(draft, sender, member, dead, reason);",
        "void sender; void notifyMember; void isOpen;",
      ),
    ],
    model: { members: two },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "mail to B is dead and A was not told",
    moves: ["A calls a tool", "A writes to B", "B delivers"],
  },
  {
    name: "swallows what the user has said with a status",
    patches: [kernel("requests.ts", ' || mail.notice === "user_said"', "")],
    model: { members: one, lead: "hosted" },
    budgets: { message: 1 },
    guarantee: "G4",
    problem: "Lead has not read what counts as read (user_said)",
    moves: ["user prompts Lead", "Lead calls a tool", "Lead waits for news"],
  },
  {
    name: "tells nobody that waits for news of a completion",
    patches: [kernel("effects.ts", "    own.reason = null;\n    draft.notable = true;\n", "    own.reason = null;\n")],
    model: { members: chain, lead: "hosted" },
    budgets: {},
    guarantee: "G8",
    problem: "A completed, and nobody is told that waits for news",
    moves: ["A delivers"],
  },
  {
    name: "spares whom a failure holds up from afar",
    patches: [
      kernel(
        "schedule.ts",
        "return queue.slice(1);",
        "return queue.slice(1, 1 + draft.mustMember(token).downstream.length);",
      ),
    ],
    model: { members: three, upstreamFailure: "cancel" },
    budgets: { outcomes: 1 },
    guarantee: "G5",
    problem: "A failed, and C waits on behind it",
    moves: ["A fails"],
  },
  {
    name: "counts no hops",
    patches: [kernel("mail-gate.ts", "hops: senderHops(draft, sender) + 1,", "hops: 1,")],
    model: { members: two, limits: { hopsMax: 2 } },
    budgets: { message: 2 },
    guarantee: "G4",
    problem: "a message of A counts 1 hops",
    moves: ["A calls a tool", "user writes to A", "A reads", "A writes to B"],
  },
  {
    name: "takes mail for a full mailbox",
    patches: [kernel("mail-gate.ts", "if (unread >= limits.unreadMessagesMax) {", "if (unread > 9999) {")],
    model: { members: one, limits: { unreadMessagesMax: 1 } },
    budgets: { message: 2 },
    guarantee: "G4",
    problem: "A has 1 unread and got one more",
    moves: ["user writes to A", "user writes to A"],
  },
  {
    name: "lets members write to themselves",
    patches: [
      kernel(
        "mail-gate.ts",
        'if (token === sender) return draft.refusal("self_recipient", { to: nameOf(draft, token) });',
        "",
      ),
    ],
    model: { members: one },
    budgets: {},
    guarantee: "G4",
    problem: "A wrote to itself",
    moves: [],
  },
];
