import type { CheckOptions, TeamModelOptions } from "../../../../src/testing/index.ts";
import { chain, one, type Patch } from "./planted-fault.ts";

/** A reduction of the search that leaves out too much, and a case in which that is seen. */
export interface BrokenReduction {
  /** What the search does wrong. */
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly model: TeamModelOptions;
  readonly check: CheckOptions;
}

/** A patch of a file of the checker. */
const search = (file: string, find: string, replace: string): Patch => ({
  file: `testing/check/${file}`,
  find,
  replace,
});

const persistent = { lifetimes: "persistent" } as const;
const hosted = { lead: "hosted" } as const;
const few = { turnsMax: 1, hopsMax: 1, broadcastsMax: 1 };
const lost = { model: { members: one, ...persistent }, check: { budgets: { owner: 1, lost: 3 } } };
const mail = { model: { members: one, limits: few, ...persistent }, check: { budgets: { message: 2 } } };
const outcomes = { model: { members: one }, check: { budgets: { outcomes: 1 } } };
const calls = { model: { members: one, callsMax: 2 }, check: { budgets: { permission: 2 } } };

/** Counts that are left out once nothing can ask for them (live-data.ts). */
const counts: readonly BrokenReduction[] = [
  {
    name: "forgets hops while somebody may still write",
    patches: [search("live-data.ts", 'messages: ownMoves || table.left(budgets, "message") > 0', "messages: false")],
    ...mail,
  },
  {
    name: "forgets losses while runs may still be lost",
    patches: [search("live-data.ts", 'losses: ownMoves || table.left(budgets, "lost") > 0', "losses: false")],
    ...lost,
  },
  {
    name: "forgets turns that are counted",
    patches: [search("live-data.ts", "const turns = limits.turnsMax <= depthMax;", "const turns = false;")],
    model: { members: one, limits: { ...few, turnsMax: 2 }, ...persistent },
    check: { budgets: { message: 2 } },
  },
  {
    name: "forgets owners while another one may come",
    patches: [search("live-data.ts", 'owners: ownMoves || table.left(budgets, "owner") > 0', "owners: false")],
    model: { members: one },
    check: { budgets: { owner: 2, late: 1 } },
  },
  {
    name: "forgets revisions while a plan may still say on which it was made",
    patches: [search("live-data.ts", 'revisions: revisions && table.left(budgets, "replan") > 0', "revisions: false")],
    // The first plan changes nothing but the revision; the second is refused before it.
    model: {
      members: one,
      replans: [{ rewire: [{ name: "A", dependsOn: [] }] }, { revision: 2, add: [{ name: "X", prompt: "p" }] }],
    },
    check: { budgets: { replan: 2 } },
  },
];

/** A state is dropped for one with the same key and more left (budgets.ts, state-graph.ts). */
const dominance: readonly BrokenReduction[] = [
  {
    name: "drops a state for one with less left",
    patches: [search("state-graph.ts", "!this.#budgets.covers(known, left)", "!this.#budgets.covers(left, known)")],
    // Who fails at once has spent something, and who is silent until it fails has not.
    model: { members: one },
    check: { budgets: { outcomes: 1, replan: 1 }, interventionsMax: 1 },
  },
  {
    name: "drops a state for one with more left of some kinds",
    patches: [search("budgets.ts", "less.left.every((each, index)", "less.left.some((each, index)")],
    model: { members: one },
    check: { budgets: { outcomes: 1, permission: 1, dissolve: 1 } },
  },
  {
    name: "takes what is left of one kind for nothing when another is spent",
    patches: [search("budgets.ts", "Math.min(each, faults)", "Math.min(each, faults - 1)")],
    model: { members: one },
    check: { budgets: { outcomes: 1, permission: 1 }, interventionsMax: 2 },
  },
];

/** A step that changes nothing is not followed (explore-breadth.ts). */
const silence: readonly BrokenReduction[] = [
  {
    name: "takes a step for silent that touched somebody",
    patches: [
      search("explore-breadth.ts", "if (applied.touched.size > 0 ||", "if (applied.touched.size > 1 ||"),
      search("explore-breadth.ts", "if (before.members.get(token) !== is) return", "if (is === undefined) return"),
    ],
    ...outcomes,
  },
];

/** Interchangeable members stand in one order (symmetry.ts, state-encoder.ts). */
const symmetry: readonly BrokenReduction[] = [
  {
    name: "takes members for interchangeable whatever they wait for",
    patches: [
      search("symmetry.ts", "const key = JSON.stringify(nodes[place]);", 'const key = nodes[place]?.kind ?? "";'),
    ],
    model: { members: [...chain, { name: "C" }], callsMax: 0 },
    check: { budgets: { outcomes: 1 }, symmetry: true },
  },
  {
    name: "leaves the graph out of a state",
    patches: [search("state-encoder.ts", "cells[4] = layout.graph;", "cells[4] = 0;")],
    model: { members: chain, replans: [{ rewire: [{ name: "B", dependsOn: [] }] }] },
    check: { budgets: { replan: 1 } },
  },
  {
    name: "forgets who is meant in whose mail",
    patches: [search("state-encoder.ts", "`${indexOf(mail.from)},${indexOf(mail.about)}`).join", '"").join')],
    model: { members: chain },
    check: { budgets: { message: 1 } },
  },
];

/** What steers nothing is left out of a key (state-encoder.ts). */
const keys: readonly BrokenReduction[] = [
  {
    name: "takes whoever does not run for somebody who is gone",
    patches: [
      search(
        "state-encoder.ts",
        'if (snapshot.value.presence === "shutdown") return `m',
        'if (snapshot.value.presence !== "running") return `m',
      ),
    ],
    model: { members: chain },
    check: { budgets: { message: 1 } },
  },
  {
    name: "forgets nudges of who may still be nudged",
    patches: [search("state-encoder.ts", "nudges && value.work", "false && value.work")],
    model: { members: one },
    check: { budgets: {} },
  },
  {
    name: "forgets what is open in a run",
    patches: [search("state-encoder.ts", "if (isLive) text += `,${runText(run)}`;", "")],
    ...calls,
  },
  {
    name: "forgets which calls wait for an answer",
    patches: [search("state-encoder.ts", "const lists = [replies, asks.map(place),", "const lists = [[], [],")],
    ...calls,
  },
  {
    name: "forgets unread mail",
    patches: [
      search("state-encoder.ts", 'filter(({ notice }) => notice !== "shutdown_requested")', "filter(() => false)"),
    ],
    ...mail,
  },
  {
    name: "forgets what a lead was told",
    patches: [
      search(
        "state-encoder.ts",
        "  if (unread.length > 0) {\n      const told",
        "  if (unread.length > 99) {\n      const told",
      ),
    ],
    model: { members: one, ...hosted },
    check: { budgets: { outcomes: 1 } },
  },
  {
    name: "forgets who waits for the end of the team",
    patches: [search("state-encoder.ts", "${state},${dissolveWaiters.length},", "${state},")],
    model: { members: one, ...persistent },
    check: { budgets: { dissolve: 2 } },
  },
];

/** Every reduction of the search, broken on purpose. */
export const brokenReductions: readonly BrokenReduction[] = [...counts, ...dominance, ...silence, ...symmetry, ...keys];

/** A reduction of the search that leaves out so much that a fault of the kernel goes unnoticed. */
export interface HidingReduction {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** The name of the planted fault that is not found any more. */
  readonly hides: string;
}

/** What leads to no other states, but is held against guarantees. */
export const hidingReductions: readonly HidingReduction[] = [
  {
    name: "forgets how often hooks have kept somebody from idling",
    patches: [search("live-data.ts", 'hooks: ownMoves || table.left(budgets, "hook") > 0', "hooks: false")],
    hides: "lets hooks keep a member from idling for ever",
  },
];

/** What comes twice changes nothing, but was paid for: after it nobody can dissolve the team any more. */
const dissolvable: BrokenReduction["check"] = {
  budgets: { duplicate: 1, dissolve: 1 },
  interventionsMax: 1,
  alwaysPossible: {
    "somebody can end the team": ({ team, isClosed }) =>
      isClosed || ["dissolving", "completed", "failed", "dissolved"].some((state) => state === team.state),
  },
};
const counting: BrokenReduction["check"] = {
  budgets: { duplicate: 1 },
  ghost: { initial: 0, next: (inVain, _before, { verdict }) => Number(inVain) + Number(verdict !== "handled") },
  always: { "nothing comes in vain": (_state, inVain) => inVain === 0 },
};

/** Reductions that are off where they would hide a violation of a property: with a ghost, and of `alwaysPossible`. */
export const deafReductions: readonly BrokenReduction[] = [
  {
    name: "takes a state for one with more left, from which more is possible",
    patches: [search("state-graph.ts", "(this.#isExact || !this", "(!this")],
    model: { members: one, callsMax: 0 },
    check: dissolvable,
  },
  {
    name: "does not follow a step that takes away what was possible",
    patches: [search("search.ts", " || this.options.alwaysPossible !== undefined", "")],
    model: { members: one, callsMax: 0 },
    check: dissolvable,
  },
  {
    name: "does not follow a step that only a ghost remembers",
    patches: [search("search.ts", "this.options.ghost !== undefined || ", "")],
    model: { members: one },
    check: counting,
  },
  {
    name: "takes states for one that a ghost tells apart",
    patches: [
      search("search.ts", 'this.#ghosts.number(JSON.stringify(ghost) ?? "")', "0 * this.#ghosts.number(String(ghost))"),
    ],
    model: { members: one },
    check: counting,
  },
];
