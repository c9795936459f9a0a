import { expect, test } from "vitest";
import {
  budgetKinds,
  checkModel,
  hostCommands,
  teamModel,
  type Budget,
  type ModelMember,
} from "../../../src/testing/index.ts";

const pair: ModelMember[] = [{ name: "A" }, { name: "B" }];
const chain: ModelMember[] = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];

test("a team of two holds G1 to G10 without a word from the user", () => {
  const result = checkModel(teamModel({ members: chain }));
  expect(result).toMatchObject({ verdict: "holds", violation: null, limitsHit: [] });
  expect(result.states).toBeGreaterThan(10);
});

test("a violated property has a shortest path: no other one of fewer moves violates it", () => {
  const model = teamModel({ members: chain });
  const always = {
    "B never works": ({ members }: { members: readonly { work: string; upstreams: readonly unknown[] }[] }) =>
      members.every(({ work, upstreams }) => upstreams.length === 0 || work !== "in_progress"),
  };
  const { verdict, violation } = checkModel(model, { always });
  expect(verdict).toBe("violated");
  expect(violation?.moves).toEqual(["A delivers"]);
  const { limitsHit } = checkModel(model, { always, limits: { depthMax: 0 } });
  expect(limitsHit).toEqual(["depthMax"]);
});

test("a property that throws is violated, with the text of what it threw", () => {
  const always = {
    "nobody completes": (state: { members: readonly { work: string }[] }) => {
      for (const { work } of state.members) if (work === "completed") throw new Error("somebody has completed");
    },
  };
  const { violation } = checkModel(teamModel({ members: pair }), { always });
  expect(violation).toMatchObject({ property: "nobody completes", problem: "somebody has completed" });
});

test("a property of a step sees the move, the event, its verdict and both states", () => {
  const seen = new Set<string>();
  const { verdict } = checkModel(teamModel({ members: chain }), {
    budgets: { late: 1 },
    onStep: {
      "late reports are stale": (before, step, after) => {
        seen.add(`${step.from} ${step.event.type} ${step.verdict}`);
        const late = step.move.startsWith("an old run");
        return !late || (step.verdict === "stale" && before.team.state === after.team.state);
      },
    },
  });
  expect(verdict).toBe("holds");
  expect(seen).toContain("A run.completed handled");
  expect(seen).toContain("A run.completed stale");
});

test("what is never true is a violation, and is named", () => {
  const sometimes = {
    "the team finishes": (state: { team: { state: string } }) => state.team.state === "finished",
    "the team is dissolved": (state: { team: { state: string } }) => state.team.state === "dissolved",
  };
  const result = checkModel(teamModel({ members: pair }), { sometimes });
  expect(result).toMatchObject({ verdict: "violated", violation: null });
  expect(result.sometimes).toEqual([
    { name: "the team finishes", reached: true },
    { name: "the team is dissolved", reached: false },
  ]);
});

test("where nothing is due a team without faults has finished or stalled", () => {
  const isOver = (state: { team: { state: string } }) => ["finished", "stalled"].includes(state.team.state);
  const model = teamModel({ members: chain });
  expect(checkModel(model, { quiescent: { over: isOver } }).verdict).toBe("holds");
  const finished = { finished: (state: { team: { state: string } }) => state.team.state === "finished" };
  expect(checkModel(model, { quiescent: finished }).violation).toMatchObject({
    property: "finished",
    kind: "quiescent",
  });
});

test("what can always be made true is found backwards from where it is", () => {
  const model = teamModel({ members: pair });
  const finish = { finish: (state: { team: { state: string } }) => state.team.state === "finished" };
  // Who has failed can't be brought back without a replan.
  const stuck = checkModel(model, { alwaysPossible: finish, budgets: { outcomes: 1 } });
  expect(stuck).toMatchObject({ verdict: "violated", violation: { kind: "alwaysPossible" } });
  const settle = { settle: (state: { team: { state: string } }) => state.team.state !== "running" };
  expect(checkModel(model, { alwaysPossible: settle, budgets: { outcomes: 1 } }).verdict).toBe("holds");
});

test("a ghost tells apart what the state alone does not", () => {
  const model = teamModel({ members: chain });
  const options = {
    ghost: {
      initial: 0,
      next: (count: number, _: unknown, step: { move: string }) => count + Number(step.move === "A ends its turn"),
    },
    always: { "at most three turns": (_: unknown, count: number) => count <= 3 },
    budgets: {},
  };
  const { violation, verdict } = checkModel(model, options);
  expect(verdict).toBe("violated");
  expect(violation?.moves).toEqual(["A ends its turn", "A ends its turn", "A ends its turn", "A ends its turn"]);
});

test.each([
  ["statesMax", { statesMax: 10 }],
  ["depthMax", { depthMax: 2 }],
  ["ms", { ms: 0 }],
] as const)("a search that hits %s is inconclusive", (limit, limits) => {
  const members = ["A", "B", "C", "D"].map((name) => ({ name }));
  const result = checkModel(teamModel({ members }), { limits, symmetry: false, budgets: { message: 1 } });
  expect(result).toMatchObject({ verdict: "inconclusive", limitsHit: [limit] });
});

test("one of each kind and two in all covers what every pair of kinds covers", () => {
  const model = teamModel({ members: chain });
  const all = checkModel(model, {
    budgets: Object.fromEntries(budgetKinds.map((kind) => [kind, 1])),
    interventionsMax: 2,
  });
  const taken = new Set(all.coverage.taken);
  const pairOf = (a: Budget, b: Budget) => checkModel(model, { budgets: { [a]: 1, [b]: 1 } });
  const missing = budgetKinds.flatMap((a) =>
    budgetKinds.flatMap((b) => (a < b ? pairOf(a, b).coverage.taken.filter((id) => !taken.has(id)) : [])),
  );
  expect(missing).toEqual([]);
});

test("moves of one's own are explored, and switch symmetry off", () => {
  const model = teamModel({
    members: pair,
    world: ({ team }) =>
      team.is("running")
        ? [
            {
              name: "the boss aborts",
              budget: "dissolve",
              input: { actor: "session", from: "user", event: { type: "team.dissolve", mode: "abort" } },
            },
          ]
        : [],
  });
  const sometimes = { aborted: (state: { team: { state: string } }) => state.team.state === "dissolved" };
  const result = checkModel(model, { sometimes, budgets: { dissolve: 1 } });
  expect(result.verdict).toBe("holds");
  expect(result.symmetry).toMatchObject({ isOn: false, why: "the model has moves of your own" });
});

test("a team that the kernel refuses makes no model, and the refusal is told", () => {
  expect(() => teamModel({ members: [{ name: "A", dependsOn: ["B"] }] })).toThrow(/unknown_dependency/);
});

test("no two moves of a state share a name", () => {
  const model = teamModel({ members: chain, callsMax: 2, lifetimes: "persistent" });
  const twice = new Set<string>();
  const session = model.initial();
  for (const name of ["A calls a tool", "A calls a tool 2", "A asks for a permission", "A asks for a permission 2"]) {
    const moves = model.moves(session);
    const names = moves.map((move) => move.name);
    for (const each of names) if (names.indexOf(each) !== names.lastIndexOf(each)) twice.add(each);
    const move = moves.find((each) => each.name === name);
    if (move === undefined) throw new Error(`no move ${name}: ${names.join(", ")}`);
    model.step(session, move);
  }
  expect([...twice]).toEqual([]);
});

test("a move of one's own whose plan names a revision is refused: states don't tell revisions apart", () => {
  const model = teamModel({
    members: pair,
    world: () => [{ name: "a plan", budget: "replan", input: hostCommands.replan({ revision: 1, cancel: ["A"] }) }],
  });
  expect(() => checkModel(model, { budgets: { replan: 1 } })).toThrow(
    expect.objectContaining({
      code: "bad_input",
      message: expect.stringContaining('the plan of "a plan" names a revision'),
    }),
  );
});
