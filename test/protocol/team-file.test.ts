import { expect, test } from "vitest";
import { TeamFile } from "../../src/protocol/team-file.ts";

const team = { name: "T", members: [{ name: "A", prompt: "p" }] };

test("a file with a team has its members with their defaults, and only the limits that it gives", () => {
  const file = TeamFile.parse({ team, limits: { hopsMax: 3 } });
  expect(file.team?.members[0]).toEqual({
    name: "A",
    prompt: "p",
    agentType: "general",
    dependsOn: [],
    lifetime: "oneshot",
    requirePlan: false,
  });
  expect(file.limits).toEqual({ hopsMax: 3 });
});

test("keys that are names are entries of a map, whatever they are", () => {
  const agents = JSON.parse('{ "__proto__": { "model": "scripted" }, "constructor": {} }') as object;
  const script = JSON.parse('{ "__proto__": [{ "text": "a" }], "toString": [] }') as object;
  const file = TeamFile.parse({ team, agents, script });
  expect([...(file.agents ?? [])]).toEqual([
    ["__proto__", { model: "scripted" }],
    ["constructor", {}],
  ]);
  expect([...(file.script?.keys() ?? [])]).toEqual(["__proto__", "toString"]);
});

test.each([
  ["both a lead and a team", { team, lead: { prompt: "go" } }, "keep one of them"],
  ["neither", {}, "declare one of them"],
  ["a lead without a prompt", { lead: { model: "scripted" } }, "expected string"],
  ["a limit that is none", { team, limits: { hopsMax: -1 } }, "Too small"],
  ["a function", { team: () => team }, "expected object"],
  ["a key that nobody knows", { team, exec: "rm" }, "exec"],
])("S20: %s is refused", (_name, file, problem) => {
  const parsed = TeamFile.safeParse(file);
  expect(parsed.error?.issues.map((issue) => issue.message).join()).toContain(problem);
});
