import { expect, test } from "vitest";
import { memberToolNames } from "../../../src/tools/team/index.ts";

test("a member never has a tool of the lead, even when its agent type lists it", () => {
  const listed = [
    "read_file",
    "task",
    "confirm",
    "ask_user_question",
    "mine",
    "team_create",
    "submit_plan",
    "read_file",
  ];
  expect(memberToolNames(listed)).toEqual(["read_file", "mine"]);
});
