import { expect, test } from "vitest";
import { jsonLines, teamchart } from "../support/teamchart.ts";

test.each([[[]], [["s-1"]]])(
  "on the memory bus there is nothing to be seen from outside: status %j says so",
  async (args) => {
    const plain = await teamchart(["status", ...args]);
    expect(plain).toMatchObject({ code: 0, stderr: "" });
    expect(plain.stdout).toContain("there are none to be seen from here");
    const json = await teamchart(["status", ...args, "--json"]);
    expect(jsonLines(json.stdout)).toEqual([{ type: "status", bus: "memory", sessions: [], note: expect.any(String) }]);
  },
);
