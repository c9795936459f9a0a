import { expect, test } from "vitest";
import { Script } from "../../../src/protocol/script.ts";
import { unknownTools } from "../../../src/cli/run/unknown-tools.ts";

const calling = (...tools: string[]) =>
  Script.parse({ Ann: tools.map((tool) => ({ calls: [{ tool, input: {} }] })), Bob: [{ text: "hello" }] });

test("a tool that no actor of a file can have is told once, with the nearest", () => {
  expect(unknownTools(calling("read_fil", "read_fil", "no_such_tool"))).toEqual([
    'The script of Ann calls "read_fil", which is no tool of a team file (did you mean "read_file"?).',
    'The script of Ann calls "no_such_tool", which is no tool of a team file.',
  ]);
});

test("the tools of members, of leads and of the workspace are known", () => {
  expect(unknownTools(calling("complete", "team_create", "task", "submit_plan", "execute"))).toEqual([]);
});
