import { expect, test } from "vitest";
import { checkModel, teamModel } from "../../../src/testing/index.ts";

const pair = [{ name: "A" }, { name: "B", dependsOn: ["A"] }];
const both = { cancel: ["A"], add: [{ name: "A2", prompt: "instead", replaces: "A" }], rewire: [] };
const name = "a replan cancels A, adds A2 for A";

test("a plan of one's own that changes several things at once is a move, and what it does is explored", () => {
  const sometimes = {
    "A2 has taken the place of A": (s: { members: readonly { name: string; work: string }[] }) =>
      s.members.some((each) => each.name === "A" && each.work === "cancelled") &&
      s.members.some((each) => each.name === "A2" && each.work === "completed"),
  };
  const budgets = { replan: 1 };
  expect(checkModel(teamModel({ members: pair, replans: [both] }), { sometimes, budgets }).verdict).toBe("holds");
  expect(checkModel(teamModel({ members: pair }), { sometimes, budgets }).sometimes).toEqual([
    { name: "A2 has taken the place of A", reached: false },
  ]);
});

test("a plan of one's own that is refused changes nothing", () => {
  const model = teamModel({ members: pair, replans: [{ cancel: ["A"], retry: [{ name: "B" }] }] });
  const session = model.initial();
  const move = model.moves(session).find((each) => each.name === "a replan cancels A, retries B");
  if (move === undefined) throw new Error("the plan is no move");
  const { applied } = model.step(session, move);
  expect([applied.verdict, applied.touched.size]).toEqual(["refused", 0]);
});

test("plans of one's own cost a replan, and their names are unique in a state", () => {
  const replans = [both, { ...both, reason: "the same, said otherwise" }, { cancel: ["A"] }, {}];
  const model = teamModel({ members: pair, replans });
  const names = model.moves(model.initial()).map((each) => each.name);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(
    expect.arrayContaining([
      `${name} (replans 1)`,
      `${name} (replans 2)`,
      "a replan cancels A",
      "a replan cancels A (replans 3)",
      "a replan changes nothing",
    ]),
  );
  expect(
    model.moves(model.initial(), (budget) => budget !== "replan").some((each) => each.name.includes("replan")),
  ).toBe(false);
});

test("what is no plan is bad_input, with its place and field", () => {
  const replans = [{}, { cancel: "A" as unknown as string[] }];
  expect(() => teamModel({ members: pair, replans })).toThrow(
    expect.objectContaining({ code: "bad_input", data: expect.objectContaining({ what: "replans.1.cancel" }) }),
  );
});

test("a plan of one's own does to one member what it does not do to another, so symmetry is off", () => {
  const members = [{ name: "A" }, { name: "B" }];
  const model = teamModel({ members, replans: [{ cancel: ["A"], retry: [], shutdown: [], add: [], rewire: [] }] });
  expect(checkModel(model).symmetry).toMatchObject({ isOn: false, why: "the model has plans of your own" });
  expect(checkModel(teamModel({ members, replans: [] })).symmetry.isOn).toBe(true);
});

test("a plan made on a revision is tried on each, though plans that change nothing else lead there", () => {
  const revised = { revision: 2, add: [{ name: "C", prompt: "p" }] };
  // What it says is so already: it makes a revision, and no other difference.
  const idle = { rewire: [{ name: "B", dependsOn: ["A"] }] };
  const { sometimes } = checkModel(teamModel({ members: pair, replans: [idle, revised] }), {
    budgets: { replan: 2 },
    limits: { depthMax: 2 },
    guarantees: false,
    sometimes: {
      "C is there, and A and B are as they were": ({ members, member }) =>
        members.length === 3 &&
        members.some((each) => each.name === "C") &&
        member("A").attempt === 1 &&
        member("A").presence === "running" &&
        member("B").is("blocked") &&
        member("B").upstreams.length === 1,
    },
  });
  expect(sometimes).toMatchObject([{ reached: true }]);
});
