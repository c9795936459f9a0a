import { chain, kernel, one, type PlantedFault } from "./planted-fault.ts";

const fan = [{ name: "A" }, { name: "B" }, { name: "C", dependsOn: ["A", "B"] }];
const two = [{ name: "A" }, { name: "B" }];

/** Faults of the graph, of plans and of the team. */
export const faultsOfTheTeam: readonly PlantedFault[] = [
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
      kernel(
        "schedule.ts",
        'if (upstreamFailure === "skip") satisfyDownstream(draft, failed);',
        "satisfyDownstream(draft, failed);",
      ),
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
        "...new Set(tokens.map((token) => successorOf(draft, token, replaced)))",
        "...new Set(tokens)",
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
    patches: [
      kernel("dissolve.ts", 'const resting = new Set(["parked", "idle"]);', 'const resting = new Set(["idle"]);'),
    ],
    model: { members: chain },
    budgets: { dissolve: 1 },
    guarantee: "G7",
    problem: "the team is dissolving and B is parked",
    moves: ["the team is dissolved"],
  },
  {
    name: "forgets a blocked member when it dissolves by force",
    patches: [
      kernel(
        "dissolve.ts",
        '(presence) => presence !== "shutdown")',
        '(presence) => presence === "running" || presence === "draining")',
      ),
    ],
    model: { members: chain },
    budgets: { dissolve: 1 },
    guarantee: "G7",
    problem: "the team is dissolving after team.dissolve",
    moves: ["the team is aborted"],
  },
  {
    name: "arms no grace timer",
    patches: [
      kernel("dissolve.ts", "grace: { generation: draft.record.seq, armedAt: draft.input.at, ms },", "grace: null,"),
    ],
    model: { members: one },
    budgets: { dissolve: 1 },
    guarantee: "G7",
    problem: "the team is dissolving without its grace timer",
    moves: ["the team is dissolved"],
  },
  {
    name: "waits for ever for whom it asks to shut down",
    patches: [
      kernel(
        "timers.ts",
        'if (draft.facts.member(member.snapshot).presence !== "draining") return false;',
        "return false;",
      ),
    ],
    model: { members: one },
    budgets: { replan: 1 },
    guarantee: "G8",
    problem: "A is asked to shut down, and stays when its time is over",
    moves: ["a replan shuts A down"],
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
    budgets: {},
    guarantee: "G9",
    problem: "A was allowed team.replan",
    moves: [],
  },
  {
    name: "lets members replan while they complete",
    patches: [
      kernel(
        "commands.ts",
        "if (tool !== undefined && member !== undefined) {",
        'if (tool !== undefined && member !== undefined && draft.memberFacts(from).activity !== "completing") {',
      ),
    ],
    model: { members: one },
    budgets: {},
    guarantee: "G9",
    problem: "A was allowed team.replan",
    moves: ["A calls a tool", "A completes"],
  },
  {
    name: "lets whoever likes report for a member",
    patches: [kernel("gate.ts", 'if (actor !== from) return stale("a run reports for itself only");', "")],
    model: { members: two },
    budgets: {},
    guarantee: "G9",
    problem: "A was allowed run.completed",
    moves: [],
  },
  {
    name: "lets a member close the session",
    patches: [kernel("gate.ts", 'if (!hosts.has(input.from)) return fenced("only the host closes a session");', "")],
    model: { members: one },
    budgets: {},
    guarantee: "G9",
    problem: "A was allowed session.closed",
    moves: [],
  },
];
