import { expect, test } from "vitest";
import { checkModel, checkPath, teamModel, type TeamModel } from "../../../src/testing/index.ts";

const model = teamModel({ members: [{ name: "A" }, { name: "B", dependsOn: ["A"] }] });

const refused = (what: string, problem: string) =>
  expect.objectContaining({ code: "bad_input", data: { what, problem: expect.stringContaining(problem) as string } });

test("a move that is not possible is refused with its place, and with those that are, the nearest one first", () => {
  expect(() => checkPath(model, ["A delivers", "B delivrs"])).toThrow(
    refused("moves.1", 'not a path of this model: "B delivrs" cannot happen here; possible are "B delivers", "'),
  );
});

test("a path that goes on when nothing more may happen says so", () => {
  const closed = ["the session is closed", "A delivers"];
  expect(() => checkPath(model, closed)).toThrow(refused("moves.1", "nothing may happen"));
});

test.each([
  [null, "moves", "not null"],
  ["A delivers", "moves", 'not "A delivers"'],
  [["A delivers", 3], "moves.1", "not 3"],
])("a path that is no list of names is refused: %j", (moves: unknown, what, problem) => {
  expect(() => checkPath(model, moves as string[])).toThrow(refused(what, problem));
});

test.each([null, { members: [{ name: "A" }] }])("what is no model is refused: %j", (given: unknown) => {
  expect(() => checkModel(given as TeamModel)).toThrow(refused("model", "teamModel(options)"));
  expect(() => checkPath(given as TeamModel, [])).toThrow(refused("model", "teamModel(options)"));
});
