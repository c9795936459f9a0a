import { expect, test } from "vitest";
import type { ReplanSpecInput } from "../../../src/protocol/index.ts";
import { codesOf, Driver } from "../driver.ts";

const diamond = () => {
  const driver = new Driver();
  driver.create(["A", "B<-A", "C<-A", "D<-B,C"]);
  return driver;
};

test.each<[string, ReplanSpecInput, string, string[]]>([
  ["a new member", { add: [{ name: "X", prompt: "p", dependsOn: ["A"] }] }, "X", ["A3-t1"]],
  ["a rewired one", { rewire: [{ name: "B", dependsOn: ["A", "A3"] }] }, "B", ["A3-t1"]],
  [
    "whoever is replaced by the same plan",
    {
      add: [
        { name: "A4", prompt: "p", replaces: "A3" },
        { name: "X", prompt: "p", dependsOn: ["A"] },
      ],
    },
    "X",
    ["A4-t1"],
  ],
])("G6: %s that names somebody who was replaced waits for whoever has that place", (_, plan, name, upstreams) => {
  const driver = diamond();
  driver.replan({ add: [{ name: "A2", prompt: "p", replaces: "A" }] });
  driver.replan({ add: [{ name: "A3", prompt: "p", replaces: "A2" }] });
  expect(driver.replan(plan).replies[0]?.reply).toMatchObject({ ok: { type: "replanned", stranded: [] } });
  expect(driver.member(name).dependsOn).toEqual(upstreams);
});

test("G6: a member that would wait for its own successor is a cycle", () => {
  const driver = diamond();
  driver.replan({ add: [{ name: "B2", prompt: "p", replaces: "B" }] });
  const plan = { rewire: [{ name: "B2", dependsOn: ["B"] }] };
  expect(codesOf(driver.replan(plan))).toEqual(["cycle"]);
});

test.each<[string, ReplanSpecInput]>([
  ["itself", { add: [{ name: "B", prompt: "p", replaces: "B" }] }],
  [
    "each other",
    {
      add: [
        { name: "B", prompt: "p", replaces: "C" },
        { name: "C", prompt: "p", replaces: "B" },
      ],
    },
  ],
])("G6: a plan in which members replace %s is refused, and does not go round in circles", (_, plan) => {
  expect(codesOf(diamond().replan(plan))).toContain("name_collision");
});
