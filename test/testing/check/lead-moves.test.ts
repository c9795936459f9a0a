import { expect, test } from "vitest";
import { checkModel, teamModel, type TeamModel } from "../../../src/testing/index.ts";

const hosted = teamModel({ members: [{ name: "A" }, { name: "B", dependsOn: ["A"] }], lead: "hosted" });

/** Names of the moves behind a path. */
function movesAfter(model: TeamModel, path: readonly string[]): readonly string[] {
  const session = model.initial();
  for (const name of path) {
    const move = model.moves(session).find((each) => each.name === name);
    if (move === undefined) throw new Error(`no move ${name}`);
    model.step(session, move);
  }
  return model.moves(session).map(({ name }) => name);
}

test("a lead with an open call writes, replans, dissolves, waits and asks", () => {
  expect(movesAfter(hosted, ["user prompts Lead", "Lead calls a tool"])).toEqual(
    expect.arrayContaining([
      "Lead waits for news",
      "Lead asks the user",
      "Lead writes to A",
      "Lead writes to all",
      "Lead replans: cancels A",
      "Lead replans: retries B",
      "Lead dissolves the team",
      "Lead aborts the team",
    ]),
  );
});

test("a lead that waits for the end of a dissolve does nothing else meanwhile", () => {
  const moves = movesAfter(hosted, ["user prompts Lead", "Lead calls a tool", "Lead dissolves the team"]);
  const own = moves.filter((name) => name.startsWith("Lead "));
  expect(own).toEqual(["Lead fails", "Lead ends its turn for an old owner"]);
});

test("reports and commands of a lead come late, twice and too early, and its run is adopted", () => {
  const path = ["user prompts Lead", "Lead calls a tool", "Lead writes to A", "the owner changes"];
  expect(movesAfter(hosted, path)).toEqual(
    expect.arrayContaining([
      "an old run of Lead ends its turn",
      "Lead ends its turn for an old owner",
      "an old run of Lead aborts the team",
      "an old run of Lead is lost",
      "a report of Lead comes twice",
      "a report of Lead comes too early",
      "a command of Lead comes twice",
      "the run of Lead is adopted",
    ]),
  );
});

test("nothing that comes of a lead's run too late, twice or too early does anything", () => {
  const { verdict, violation } = checkModel(teamModel({ members: [{ name: "A" }], lead: "hosted" }), {
    budgets: { late: 1, duplicate: 1, message: 1, owner: 1 },
    interventionsMax: 2,
    onStep: {
      "it changes nothing": (before, { move, posts, mail }, after) => {
        const isStale = /^(?:an old run|a report|a command) of Lead|Lead ends its turn for an old owner/.test(move);
        return !isStale || (posts.length === 0 && mail.accepted === 0 && before.lead.turn === after.lead.turn);
      },
    },
    sometimes: { "the lead is at work": ({ lead }) => lead.is("thinking") },
  });
  expect(violation?.toString() ?? null).toBeNull();
  expect(verdict).toBe("holds");
});
