import { checkModel, teamModel } from "teamchart/testing";
import { test } from "vitest";
import { expect } from "./matchers.ts";
import { members } from "./team.ts";

test("nothing that can happen to this team breaks a guarantee", () => {
  expect(checkModel(teamModel({ members }), { budgets: { outcomes: 1, lost: 1 } })).toHold();
});
