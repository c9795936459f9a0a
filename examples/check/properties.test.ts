// Properties of one's own, one of each kind, for three members: two research, and an editor sums up.
import { checkModel, teamModel } from "teamchart/testing";
import { test } from "vitest";
import { expect } from "./matchers.ts";

const model = teamModel({
  members: [{ name: "Web" }, { name: "Archive" }, { name: "Editor", dependsOn: ["Web", "Archive"] }],
});

test("always: the Editor works only on whole material", () => {
  const result = checkModel(model, {
    budgets: { outcomes: 2 },
    always: {
      "the Editor has both": (state) =>
        !state.member("Editor").is("in_progress") ||
        (state.member("Web").is("completed") && state.member("Archive").is("completed")),
    },
  });
  expect(result).toHold();
  expect(result.symmetry.why).toBe('the property "the Editor has both" names Editor');
});

test("always, without a name: symmetry stays on, and there are fewer states", () => {
  const named = checkModel(model, { budgets: { outcomes: 2 }, symmetry: false });
  const result = checkModel(model, {
    budgets: { outcomes: 2 },
    always: {
      "who works has all it waits for": ({ members }) =>
        members.every((member) => !member.is("in_progress") || member.upstreams.every((each) => each.is("completed"))),
    },
  });
  expect(result).toHold();
  expect(result.symmetry.isOn).toBe(true);
  expect(result.states).toBeLessThan(named.states);
});

test("onStep: a report that comes late changes nothing", () => {
  const result = checkModel(model, {
    budgets: { late: 1, lost: 1 },
    onStep: {
      "old runs are not heard": (before, step, after) =>
        !step.move.startsWith("an old run") || (step.verdict === "stale" && before.team.state === after.team.state),
    },
  });
  expect(result).toHold();
});

test("sometimes: the model is not so narrow that nothing of interest happens", () => {
  const result = checkModel(model, {
    budgets: { outcomes: 1 },
    sometimes: {
      "the team finishes": ({ team }) => team.is("finished"),
      "it stalls while somebody still waits": ({ team, members }) =>
        team.is("stalled") && members.some((member) => member.is("blocked")),
    },
  });
  expect(result).toHold();
});

test("quiescent: where nothing is due, the team is over or the lead was told that it is stuck", () => {
  const result = checkModel(model, {
    budgets: { outcomes: 1, dissolve: 1 },
    quiescent: { "over or stuck": ({ team, isClosed }) => isClosed || !["forming", "running"].includes(team.state) },
  });
  expect(result).toHold();
});

test("alwaysPossible: after a failure the work can never be done, unless somebody replans", () => {
  const alwaysPossible = {
    "all the work can be done": ({ team }: { team: { state: string } }) => team.state === "finished",
  };
  const stuck = checkModel(model, { budgets: { outcomes: 1 }, alwaysPossible });
  expect(stuck.violation?.kind).toBe("alwaysPossible");
  expect(stuck.violation?.moves.at(-1)).toMatch(/fails|ends its turn|put off/);
});

test("ghost: nobody is tried more often than the plans say", () => {
  const result = checkModel(model, {
    budgets: { replan: 1 },
    ghost: {
      initial: 0,
      next: (replans: number, _before, step) => replans + Number(step.event.type === "team.replan"),
    },
    always: {
      "attempts are planned": ({ members }, replans) => members.every(({ attempt }) => attempt <= 1 + replans),
    },
  });
  expect(result).toHold();
});
