import type { CheckOptions, TeamModelOptions } from "../../../src/testing/index.ts";
import { oneOfEach, shapesOf, type Size } from "./pack.ts";

/** A model of the pack: what it is called, its team, and what may happen to it. */
export type PackCase = readonly [name: string, model: TeamModelOptions, options: CheckOptions];

const one = [{ name: "A" }];
const pair = [{ name: "A" }, { name: "B" }];
const chain = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
const three = [...chain, { name: "C", dependsOn: ["B"] }];
const planned = [{ name: "A", requirePlan: true }];
const fanIn = ["A", "B", "C", "D"].map((name): { name: string; dependsOn?: string[] } => ({ name }));
fanIn.push({ name: "E", dependsOn: ["A", "B", "C", "D"] });
const diamond = [
  { name: "A" },
  ...["B", "C", "D"].map((name) => ({ name, dependsOn: ["A"] })),
  { name: "E", dependsOn: ["B", "C", "D"] },
];
const triples: CheckOptions = { budgets: oneOfEach, interventionsMax: 3 };
const pairs: CheckOptions = { budgets: oneOfEach, interventionsMax: 2 };
const singles: CheckOptions = { budgets: oneOfEach, interventionsMax: 1 };
const lateOwner: CheckOptions = { budgets: { owner: 1, late: 1, outcomes: 1 } };

/** Every graph of two members with every triple of interventions. */
export const twoMemberCases: readonly PackCase[] = shapesOf(2).flatMap(([shape, members]) =>
  (["oneshot", "persistent"] as const).map((lifetimes): PackCase => [
    `two ${lifetimes}: ${shape}`,
    { members, lifetimes },
    triples,
  ]),
);
const persistent = { lifetimes: "persistent" } as const;

/** Small teams for everything that the machines can do. */
export const smallCases: readonly PackCase[] = [
  ["fan-in of five", { members: fanIn }, lateOwner],
  ["diamond of five", { members: diamond }, lateOwner],
  ["fan-in of five persistent", { members: fanIn, ...persistent }, lateOwner],
  ["diamond of five persistent", { members: diamond, ...persistent }, lateOwner],
  ["hosted lead", { members: one, lead: "hosted", journals: true }, pairs],
  ["hosted lead, two calls", { members: one, lead: "hosted", callsMax: 2 }, { budgets: { permission: 2, timer: 1 } }],
  ["hosted lead, lost runs", { members: one, lead: "hosted" }, { budgets: { lost: 3, dissolve: 1 } }],
  ["hosted lead, chain", { members: chain, lead: "hosted" }, singles],
  ["plan", { members: planned }, pairs],
  ["plan, two calls", { members: planned, callsMax: 2, ...persistent }, pairs],
  ["two calls", { members: one, callsMax: 2, journals: true }, triples],
  ["two calls that wait", { members: one, callsMax: 2 }, { budgets: { permission: 2, outcomes: 2 } }],
  [
    "two calls, persistent",
    { members: one, callsMax: 2, limits: { idleMs: 1_000, turnsMax: 3 }, ...persistent },
    pairs,
  ],
  ["calls outside", { members: one, callsMax: 2 }, { budgets: { ...oneOfEach, outside: 2 }, interventionsMax: 2 }],
  ["calls outside, plan", { members: planned, callsMax: 2, ...persistent }, { budgets: { outside: 2 } }],
  [
    "calls outside, hosted lead",
    { members: one, lead: "hosted", callsMax: 2 },
    { budgets: { outside: 2, permission: 1 }, interventionsMax: 2 },
  ],
  [
    "calls outside, lost",
    { members: one, lead: "hosted" },
    { budgets: { outside: 2, lost: 1, owner: 1 }, interventionsMax: 2 },
  ],
  ["cancel downstream", { members: chain, upstreamFailure: "cancel" }, pairs],
  ["cancel far downstream", { members: three, upstreamFailure: "cancel" }, { budgets: { outcomes: 1 } }],
  ["neighbours write", { members: three, comms: "dag" }, { budgets: { message: 1 } }],
  ["skip the failed", { members: chain, upstreamFailure: "skip", ...persistent }, pairs],
  ["lost runs", { members: chain, ...persistent }, { budgets: { lost: 3, dissolve: 1, message: 1 } }],
  [
    "two replans",
    { members: chain, ...persistent },
    { budgets: { replan: 2, message: 1, outcomes: 1 }, interventionsMax: 3 },
  ],
  ["two owners", { members: one }, { budgets: { owner: 2, permission: 1, outcomes: 1 } }],
  [
    "an invited agent",
    { members: one, invitable: ["Guest"], limits: { idleMs: 1_000 } },
    { budgets: { invite: 2, outcomes: 1, message: 1, dissolve: 1, replan: 1, timer: 1 }, interventionsMax: 2 },
  ],
  [
    "a hosted lead invites",
    { members: one, lead: "hosted", invitable: ["Guest"] },
    { budgets: { invite: 1, dissolve: 1 } },
  ],
  ["hooks", { members: one, hooks: true }, { budgets: { hook: 2, dissolve: 1, message: 1 } }],
  [
    "hooks, persistent",
    { members: one, hooks: true, limits: { turnsMax: 3 }, ...persistent },
    { budgets: { hook: 4, message: 1, dissolve: 1, lost: 1 }, interventionsMax: 4 },
  ],
  [
    "board",
    { members: one, board: { selfClaim: true }, tasks: [{}], ...persistent },
    { budgets: { task: 2, outcomes: 1 } },
  ],
  [
    "board, two tasks",
    { members: one, board: { selfClaim: true }, tasks: [{}, { dependsOn: [1] }], ...persistent },
    { budgets: { task: 2 } },
  ],
  ["board, anything twice", { members: one, board: { selfClaim: true }, tasks: [{}], ...persistent }, pairs],
  [
    "board, owners that fail",
    { members: one, board: { selfClaim: true, onOwnerGone: "fail" }, tasks: [{}] },
    { budgets: { ...oneOfEach, task: 2 }, interventionsMax: 2 },
  ],
  ["board, two idle", { members: pair, board: { selfClaim: true }, ...persistent }, { budgets: { task: 1 } }],
  ["board, given out", { members: chain, tasks: [{ assignee: "B" }] }, { budgets: { task: 1, replan: 1 } }],
  [
    "board, hooks",
    { members: one, hooks: true, board: { selfClaim: true }, tasks: [{}] },
    { budgets: { hook: 1, task: 1 } },
  ],
  ["board, hosted lead", { members: one, lead: "hosted", tasks: [{}] }, { budgets: { task: 1, outcomes: 1 } }],
  ["interrupts", { members: pair, ...persistent }, { budgets: { interrupt: 2, message: 1 } }],
  ["interrupts, two calls", { members: chain, callsMax: 2 }, { budgets: { interrupt: 1, outcomes: 1, lost: 1 } }],
  [
    "two requests to shut down",
    { members: one, ...persistent },
    { budgets: { replan: 2, timer: 1, message: 1, lost: 1 } },
  ],
  ["two dissolves", { members: pair }, { budgets: { dissolve: 2, timer: 1, permission: 2 } }],
];

/** All of them. */
export const packCases: readonly PackCase[] = [...twoMemberCases, ...smallCases];

/** How large each of them is: the numbers tell a change of what can happen. */
export const packSizes: Readonly<Record<string, Size>> = {
  "two oneshot: A, B": [104529, 1382040],
  "two persistent: A, B": [61654, 669180],
  "two oneshot: A, B<-A": [17808, 197021],
  "two persistent: A, B<-A": [71721, 719632],
  "fan-in of five": [21989, 701745],
  "diamond of five": [4240, 126396],
  "fan-in of five persistent": [1851, 55311],
  "diamond of five persistent": [713, 19864],
  "hosted lead": [29588, 265853],
  "hosted lead, two calls": [12052, 87846],
  "hosted lead, lost runs": [5131, 30377],
  "hosted lead, chain": [6592, 32791],
  plan: [1650, 13589],
  "plan, two calls": [6364, 47559],
  "two calls": [7370, 92787],
  "two calls that wait": [437, 2455],
  "two calls, persistent": [11486, 68817],
  "calls outside": [2691, 21503],
  "calls outside, plan": [142, 721],
  "calls outside, hosted lead": [20966, 145166],
  "calls outside, lost": [1330, 8028],
  "cancel downstream": [3913, 28220],
  "cancel far downstream": [64, 159],
  "neighbours write": [251, 723],
  "skip the failed": [8626, 54048],
  "lost runs": [12015, 91311],
  "two owners": [181, 752],
  "two replans": [90276, 631491],
  "an invited agent": [2447, 11533],
  "a hosted lead invites": [3628, 18263],
  hooks: [751, 4233],
  "hooks, persistent": [3186, 21449],
  board: [4403, 18632],
  "board, two tasks": [3078, 12570],
  "board, anything twice": [9081, 49095],
  "board, owners that fail": [3201, 17660],
  "board, two idle": [708, 2310],
  "board, given out": [4931, 24318],
  "board, hooks": [329, 1447],
  "board, hosted lead": [2601, 12728],
  interrupts: [380, 1969],
  "interrupts, two calls": [159, 816],
  "two requests to shut down": [5198, 35222],
  "two dissolves": [2233, 18135],
};
