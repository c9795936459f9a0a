import { describe, expect, test } from "vitest";
import {
  checkModel,
  teamModel,
  type Budgets,
  type ModelMember,
  type TeamModelOptions,
} from "../../../src/testing/index.ts";

/**
 * The production kernel in every order of everything that can happen to a team of three, with a budget of interventions.
 * Every state and step is checked against G1 to G10. The number of states is pinned: it tells a change of behaviour.
 */
const fanIn: ModelMember[] = [{ name: "A" }, { name: "B" }, { name: "C", dependsOn: ["A", "B"] }];
const pair: ModelMember[] = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
const chain: ModelMember[] = [...pair, { name: "C", dependsOn: ["B"] }];
const persistent = fanIn.map((each): ModelMember => (each.name === "B" ? each : { ...each, lifetime: "persistent" }));
const planned = pair.map((each): ModelMember => (each.name === "A" ? { ...each, requirePlan: true } : each));
const hosted = { lead: "hosted" } as const;
const few = { turnsMax: 4, hopsMax: 3 };

const cases: readonly [string, TeamModelOptions, Budgets, number][] = [
  ["fan-in", { members: fanIn }, {}, 89],
  ["fan-in", { members: fanIn }, { outcomes: 1 }, 219],
  ["fan-in", { members: fanIn }, { outside: 1 }, 206],
  ["hosted lead waits for outside", { members: pair, ...hosted }, { outside: 1, timer: 1, lost: 1 }, 1401],
  ["fan-in", { members: fanIn }, { permission: 1 }, 193],
  ["fan-in", { members: fanIn }, { dissolve: 2 }, 1007],
  ["fan-in", { members: fanIn }, { owner: 1 }, 240],
  ["fan-in", { members: fanIn }, { lost: 3 }, 670],
  ["fan-in", { members: fanIn }, { late: 1, duplicate: 1 }, 89],
  ["fan-in, few turns", { members: fanIn, limits: few }, { outcomes: 1 }, 663],
  ["chain", { members: chain }, { replan: 1, outcomes: 1 }, 1460],
  ["chain, few turns and hops", { members: chain, limits: few }, { message: 2 }, 5430],
  ["chain, cancel downstream", { members: chain, upstreamFailure: "cancel" }, { outcomes: 1, replan: 1 }, 1433],
  ["chain, skip the failed", { members: chain, upstreamFailure: "skip" }, { outcomes: 2 }, 336],
  ["persistent", { members: persistent }, { message: 1 }, 1866],
  ["persistent", { members: persistent }, { replan: 1 }, 1284],
  ["persistent", { members: persistent }, { permission: 1, dissolve: 1, timer: 1 }, 804],
  ["hosted lead, chain", { members: chain, ...hosted }, { outcomes: 1, message: 1 }, 13241],
  ["hosted lead, chain", { members: chain, ...hosted }, { owner: 1, permission: 1 }, 4921],
  ["hosted lead, chain", { members: chain, ...hosted }, { lost: 3 }, 2454],
  ["hosted lead, persistent", { members: persistent, ...hosted }, { dissolve: 1 }, 6449],
  ["a plan first", { members: planned }, { outcomes: 1, owner: 1 }, 170],
  ["a plan first, persistent", { members: planned, lifetimes: "persistent" }, { replan: 1 }, 426],
  ["adopted runs", { members: pair }, { owner: 2, lost: 1, late: 1 }, 137],
  [
    "idle timers",
    { members: pair, limits: { ...few, idleMs: 1 }, lifetimes: "persistent" },
    { message: 1, timer: 1 },
    2841,
  ],
  ["hosted lead asks", { members: pair, ...hosted }, { permission: 1, outcomes: 1, timer: 1 }, 3282],
];

describe("G1-G10 hold in every order", () => {
  test.each(cases)("%s, %o, budgets %o: %i states", (_, options, budgets, states) => {
    const result = checkModel(teamModel(options), { budgets });
    expect([String(result), result.states]).toEqual([expect.stringMatching(/^holds: /), states]);
  });

  test("G8: a team ends running only if it ends finished, stalled or dissolved", () => {
    const ends = ["completed", "dissolved", "failed", "finished", "stalled"] as const;
    const seen = new Set<string>();
    const quiescent = {
      "it has come to an end": ({ team }: { readonly team: { readonly state: string } }): boolean => {
        seen.add(team.state);
        return ends.some((end) => end === team.state);
      },
    };
    const result = checkModel(teamModel({ members: fanIn }), { budgets: { outcomes: 1, dissolve: 1 }, quiescent });
    expect(String(result)).toMatch(/^holds: /);
    // None of these ends is left out: each is come to somewhere.
    expect([...seen].toSorted()).toEqual(ends);
  });
});
