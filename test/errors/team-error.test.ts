import { expect, test } from "vitest";
import { describeRefusal, refusal, toolRefusalText } from "../../src/errors/index.ts";

test.each([
  [refusal("bad_file", { file: "a.yaml", problem: "unknown key" }), "docs/team-file.md lists every key."],
  [refusal("bad_file", { file: "a", problem: "x", fault: "unreadable" }), "Name a file that exists"],
  [refusal("bad_file", { file: "a", problem: "x", fault: "unwritable" }), "that you may write to."],
  [refusal("bad_file", { file: "a", problem: "x", fault: "recording" }), "Name a recording"],
  [refusal("missing_path", { path: "a" }), "Look with list_files"],
  [refusal("missing_path", { path: "a", isWorkspace: true }), "Create it, or name a folder that exists."],
  [refusal("fenced", { reason: "run 1 is over" }), "another run or owner has taken over."],
  [refusal("fenced", { reason: "the session is closed", closed: true }), "Open a new one."],
])("the next step fits what was wrong: %j", (told, next) => {
  expect(describeRefusal(told)).toContain(next);
});

test("a text that ends in a full stop gets no second one", () => {
  const told = refusal("bad_input", { what: "file", problem: "see base.yaml." });
  expect(describeRefusal(told)).toBe("file: see base.yaml. Correct the input and try again.");
  expect(toolRefusalText(told)).toBe("BAD_INPUT: file: see base.yaml. Do: Correct the input and try again.");
});
