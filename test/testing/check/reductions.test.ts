import { expect, test } from "vitest";
import { checkModel, type CheckOptions, type TeamModelOptions } from "../../../src/testing/index.ts";
import { noLoss, seeReduced, seeWhole } from "./whole-search.ts";

/**
 * The search leaves much out: counts that can steer nothing any more, states with less left to happen, steps that change
 * nothing, members that are interchangeable. Here it is held against one that leaves nothing out.
 */

const one = [{ name: "A" }];
const pair = [{ name: "A" }, { name: "B" }];
const chain = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
const persistent = { lifetimes: "persistent" } as const;
const hosted = { lead: "hosted" } as const;
const few = { turnsMax: 1, hopsMax: 1, broadcastsMax: 1 };

const cases: [string, TeamModelOptions, CheckOptions][] = [
  ["outcomes", { members: pair }, { budgets: { outcomes: 1 } }],
  ["late and duplicate", { members: chain }, { budgets: { late: 1, duplicate: 1, owner: 1 } }],
  ["mail", { members: pair }, { budgets: { message: 1, outcomes: 1 }, interventionsMax: 1 }],
  ["mail, persistent", { members: chain, limits: few, ...persistent }, { budgets: { message: 2 } }],
  ["mail that nobody reads", { members: one, limits: few }, { budgets: { message: 2, outcomes: 1 } }],
  ["replan", { members: chain }, { budgets: { replan: 1, outcomes: 1 } }],
  [
    "plans of one's own",
    { members: one, replans: [{ cancel: ["A"], add: [{ name: "B", prompt: "p", replaces: "A" }] }] },
    { budgets: { replan: 1 } },
  ],
  ["dissolve", { members: pair, ...persistent }, { budgets: { dissolve: 1, timer: 1 } }],
  ["permission", { members: one, callsMax: 2 }, { budgets: { permission: 2, timer: 1 } }],
  ["owner and lost", { members: one, ...persistent }, { budgets: { owner: 2, lost: 3, late: 1 } }],
  ["two calls", { members: one, callsMax: 2 }, { budgets: { outcomes: 1, permission: 1, dissolve: 1 } }],
  ["reports that steer nothing", { members: one, journals: true }, { budgets: { lost: 1, message: 1 } }],
  ["idle timer", { members: one, limits: { ...few, idleMs: 1 }, ...persistent }, { budgets: { timer: 1, message: 1 } }],
  ["hooks", { members: one, hooks: true, ...persistent }, { budgets: { hook: 4 } }],
  ["plan", { members: [{ name: "A", requirePlan: true }] }, { budgets: { outcomes: 1, lost: 1 } }],
  ["hosted lead", { members: one, ...hosted }, { budgets: { outcomes: 1, lost: 1 } }],
  ["hosted lead with mail", { members: one, ...hosted }, { budgets: { message: 1 } }],
  ["hosted lead that dissolves", { members: one, ...hosted }, { budgets: { dissolve: 1, timer: 1 } }],
  ["hosted lead that replans", { members: one, ...hosted }, { budgets: { replan: 1 } }],
  ["hosted lead, late", { members: one, ...hosted }, { budgets: { owner: 1, late: 1 } }],
  ["hosted lead that waits", { members: one, ...hosted }, { budgets: { permission: 1, timer: 1 } }],
];

test.each(cases)(
  "the reduced search loses nothing: %s",
  (what, options, check) => {
    const start = performance.now();
    const isSymmetric = options.members === pair;
    const whole = seeWhole(options, check, isSymmetric);
    const mid = performance.now();
    const { result, loss } = seeReduced(options, check, { isSymmetric, whole: whole.seen, search: checkModel });
    expect(result.verdict).toBe("holds");
    process.stdout.write(
      `${what}: ${whole.states} states in ${Math.round(mid - start)} ms, ${result.states} kept in ${Math.round(performance.now() - mid)}\n`,
    );
    expect(loss).toEqual(noLoss);
    expect(result.states).toBeLessThan(whole.states);
  },
  600_000,
);
