import { expect, test } from "vitest";
import { budgetKinds, checkModel, teamModel, type TeamModel } from "../../../src/testing/index.ts";

/** Names of moves that one state has twice, in the states that few moves lead to. */
function doubles(model: TeamModel, depth: number): string[] {
  const found = new Set<string>();
  let level = [model.initial()];
  for (let at = 0; at <= depth; at++) {
    level = level.flatMap((session) => {
      const moves = model.moves(session);
      const seen = new Set<string>();
      for (const { name } of moves) {
        if (seen.has(name)) found.add(name);
        seen.add(name);
      }
      if (at === depth) return [];
      return moves.map((move) => {
        const after = model.copy(session);
        model.step(after, move);
        return after;
      });
    });
  }
  return [...found];
}

test.each([
  ["B", "an old run of B"],
  ["B", "B writes to B"],
  ["A", "A calls a tool while it"],
  ["A", "somebody else delivers for A"],
  ["A", "all that failed"],
  ["A", "A 2"],
  ['"B"', "B", "an old run of B"],
  ["A for B", "A", "B"],
  ["A and B", "A", "B"],
  ["the run of A", "A"],
  ["😀", "עברית", "__proto__", "it's `${odd}`"],
])("no two moves of a state share a name, whatever the members are called: %j", (...names) => {
  const members = names.map((name) => ({ name, lifetime: "persistent" as const }));
  const [first = "", second = ""] = names;
  const replans = [
    { retry: [{ name: first }, { name: second }] },
    { add: [{ name: "C", prompt: "p", replaces: first, dependsOn: names.slice(1) }] },
    { cancel: [...names] },
  ];
  const model = teamModel({ members, replans, callsMax: 2, journals: true, lead: "hosted" });
  expect(doubles(model, 1)).toEqual([]);
});

test("a counterexample of a team with such names is walked again", () => {
  const model = teamModel({ members: [{ name: "B" }, { name: "an old run of B", dependsOn: ["B"] }] });
  const { violation } = checkModel(model, {
    budgets: Object.fromEntries(budgetKinds.map((kind) => [kind, 1])),
    interventionsMax: 1,
    always: { "nobody finishes": ({ team }) => !team.is("finished") },
  });
  expect(violation?.moves).toEqual(["B delivers", '"an old run of B" delivers']);
  expect(violation?.toString()).toContain("then: Team finished");
});
