import { describe, expect, test } from "vitest";
import { memberOf } from "../driver.ts";
import { explore, type Budgets, type ExploreOptions } from "../explore.ts";

/**
 * The production kernel in every order of everything that can happen to a team of three, with a budget of interventions.
 * Every state and edge is checked against G1 to G10. The number of states is pinned: it tells a change of behaviour.
 */
const fanIn = ["A", "B", "C<-A,B"];
const chain = ["A", "B<-A", "C<-B"];
const persistent = ["A!", "B", "C!<-A,B"];

const cases: readonly [string, Omit<ExploreOptions, "budgets">, Budgets, number][] = [
  ["fan-in", { members: fanIn }, {}, 505],
  ["fan-in", { members: fanIn }, { fail: 1 }, 745],
  ["fan-in", { members: fanIn }, { ask: 1 }, 1369],
  ["fan-in", { members: fanIn }, { dissolve: 1, abort: 1 }, 4078],
  ["fan-in", { members: fanIn }, { owner: 1 }, 1434],
  ["fan-in", { members: fanIn }, { lost: 3 }, 6646],
  ["fan-in", { members: fanIn }, { late: 1 }, 1010],
  ["fan-in", { members: fanIn }, { close: 1 }, 516],
  ["chain", { members: chain }, { replan: 1, fail: 1 }, 4924],
  ["chain", { members: chain }, { message: 2 }, 3447],
  ["chain", { members: chain }, { broadcast: 1, fail: 1 }, 968],
  ["chain, cancel downstream", { members: chain, upstreamFailure: "cancel" }, { fail: 1, replan: 1 }, 4856],
  ["chain, skip the failed", { members: chain, upstreamFailure: "skip" }, { fail: 2 }, 1210],
  ["persistent", { members: persistent }, { message: 1 }, 6077],
  ["persistent", { members: persistent }, { replan: 1 }, 4056],
  ["persistent", { members: persistent }, { ask: 1, dissolve: 1 }, 3238],
  ["hosted lead, chain", { members: chain, lead: "hosted" }, { fail: 1, poll: 2, prompt: 1 }, 2224],
  ["hosted lead, chain", { members: chain, lead: "hosted" }, { owner: 1, ask: 1 }, 1145],
  ["hosted lead, chain", { members: chain, lead: "hosted" }, { lost: 3 }, 836],
  ["hosted lead, persistent", { members: persistent, lead: "hosted" }, { dissolve: 1, abort: 1 }, 3488],
  ["a plan first, chain", { members: [memberOf("A", { requirePlan: true }), "B<-A"] }, { fail: 1, owner: 1 }, 249],
  ["a plan first, persistent", { members: [memberOf("A!", { requirePlan: true }), "B"] }, { replan: 1 }, 4934],
  ["outside and back, chain", { members: chain }, { external: 1, err: 1, ask: 1 }, 721],
  ["adopted runs, chain", { members: ["A", "B<-A"] }, { owner: 1, adopt: 1, lost: 1, late: 1 }, 1598],
  ["idle timers", { members: ["A!", "B<-A"], limits: { turnsMax: 2, hopsMax: 2, idleMs: 1 } }, { message: 1 }, 613],
  ["hosted lead asks", { members: ["A", "B<-A"], lead: "hosted" }, { poll: 1, question: 1, err: 1, fail: 1 }, 455],
];

describe("G1-G10 hold in every order", () => {
  test.each(cases)("%s, %o, budgets %o: %i states", (_, options, budgets, states) => {
    const { violation, complete, ...found } = explore({ ...options, budgets });
    expect(violation).toBeNull();
    expect(complete).toBe(true);
    expect(found.states).toBe(states);
  });

  test("G8: a team ends running only if it ends finished, stalled or dissolved", () => {
    const { ends } = explore({ members: fanIn, budgets: { fail: 1, dissolve: 1 } });
    expect([...ends.keys()].toSorted()).toEqual(["completed", "dissolved", "failed", "finished", "stalled"]);
  });
});
