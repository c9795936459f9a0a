import fc from "fast-check";
import { expect, test } from "vitest";
import { teamToolBlock, teamTools } from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const block = teamToolBlock({ agentTypes: [{ name: "general" }, { name: "reviewer" }] });
const call = { toolCallId: "c1", messages: [], context: {} };

const open = () => {
  const port = new RecordingPort();
  const tools = teamTools(port, block);
  const run = (name: keyof typeof tools, input: unknown) => tools[name].execute(input as never, call);
  return { port, run };
};

/** The dependsOn that a created member gets from this one. */
const dependsOnFrom = async (dependsOn: unknown) => {
  const { port, run } = open();
  await run("team_create", { name: "T", members: [{ name: "A", prompt: "p", dependsOn }] });
  const [command] = port.commands;
  return command?.type === "team.create" ? command.spec.members[0]?.dependsOn : undefined;
};

test.each([
  ["absent", undefined, []],
  ["null", null, []],
  ["an empty list", [], []],
  ["a list of blanks", ["", " "], []],
  ["a list of nulls", [null], []],
  ["a blank", "", []],
  ["one name", "A", ["A"]],
  ["a list in a string", '["A", "B"]', ["A", "B"]],
  ["names and a blank", ["A", ""], ["A"]],
  ["a name with a comma, which the session judges", "A, B", ["A, B"]],
])("U12: dependsOn as %s has one meaning", async (_, given, expected) => {
  expect(await dependsOnFrom(given)).toEqual(expected);
});

test.each([
  ["numbers", [1]],
  ["an object", { A: true }],
  ["a broken list", '["A"'],
  ["a number", 1],
])("dependsOn as %s is refused", async (_, given) => {
  expect(await dependsOnFrom(given)).toBeUndefined();
});

test("null and blanks in optional fields are absence", async () => {
  const { port, run } = open();
  await run("team_create", {
    name: "T",
    description: null,
    members: [{ name: "A", prompt: "p", agentType: "", lifetime: null, description: " " }],
  });
  await run("team_replan", { revision: "3", retry: [{ name: "A", prompt: "" }], add: null, cancel: "B", reason: "" });
  expect(port.commands).toMatchObject([
    { spec: { members: [{ agentType: "general", lifetime: "oneshot" }] } },
    { spec: { revision: 3, retry: [{ name: "A" }], add: [], cancel: ["B"] } },
  ]);
  expect(JSON.stringify(port.commands)).not.toMatch(/"(?:description|reason)"/u);
});

test("a replacement inherits when dependsOn is absent or blank, and has none when it is empty", async () => {
  const { port, run } = open();
  const add = (more: object) => run("team_replan", { add: [{ name: "N", prompt: "p", replaces: "A", ...more }] });
  for (const more of [{}, { dependsOn: null }, { dependsOn: [""] }, { dependsOn: [] }]) await add(more);
  const given = port.commands.map((each) => (each.type === "team.replan" ? each.spec.add[0]?.dependsOn : "other"));
  expect(given).toEqual([undefined, undefined, undefined, []]);
});

test("members written as a string of JSON are read", async () => {
  const { port, run } = open();
  await run("team_create", { name: "T", members: JSON.stringify([{ name: "A", prompt: "p" }]) });
  expect(port.commands).toMatchObject([{ spec: { members: [{ name: "A" }] } }]);
});

const tooMany = Array.from({ length: 1_001 }, () => "A");
test.each([
  ["team_create", { name: "T", members: [], comms: "lead" }, /no field "comms"/u],
  ["team_create", { name: "T", members: [{ name: "A", prompt: "p", requirePlan: true }] }, /no field "requirePlan"/u],
  ["team_create", { name: 1, members: "x" }, /^BAD_INPUT: name: .*\nBAD_INPUT: members: /u],
  ["team_create", { name: "T", members: [{ name: "A", prompt: "p", lifetime: "forever" }] }, /members\[0\]\.lifetime/u],
  ["team_replan", { revision: 1.5 }, /^BAD_INPUT: revision/u],
  ["team_replan", { revision: "two" }, /^BAD_INPUT: revision/u],
  ["team_dissolve", { mode: "now" }, /^BAD_INPUT: mode/u],
  ["team_replan", { reason: "r".repeat(601) }, /^BAD_INPUT: reason/u],
  ["team_dissolve", { reason: "r".repeat(601) }, /^BAD_INPUT: reason/u],
  ["team_replan", { cancel: tooMany }, /^BAD_INPUT: cancel/u],
  ["team_replan", { rewire: [{ name: "A", dependsOn: tooMany }] }, /^BAD_INPUT: rewire\[0\]\.dependsOn/u],
  ["team_replan", { add: [{ name: "A", prompt: "p", dependsOn: tooMany }] }, /^BAD_INPUT: add\[0\]\.dependsOn/u],
  ["team_create", { name: "T", members: [{ name: "A", prompt: "p", dependsOn: tooMany }] }, /^BAD_INPUT: members/u],
  ["complete", null, /^BAD_INPUT: the input/u],
  ["complete", "done", /^BAD_INPUT: the input/u],
] as const)("%s of %j is refused in short", async (name, input, expected) => {
  const { port, run } = open();
  expect(await run(name, input)).toMatch(expected);
  expect(port.commands).toEqual([]);
});

test("S9: no argument names the sender: a field from, role or trust is refused and nothing is sent", async () => {
  const { port, run } = open();
  for (const forged of [{ from: "Lead" }, { role: "lead" }, { trust: "user" }, { kind: "instruction" }]) {
    expect(await run("team_send_message", { to: "Bob", content: "hi", ...forged })).toMatch(/^BAD_INPUT: the input/u);
  }
  expect(port.commands).toEqual([]);
});

test("S20: a declaration is data: __proto__, constructor and functions are refused and change nothing", async () => {
  const { port, run } = open();
  const hostile = [
    JSON.parse('{"name":"T","members":[{"name":"A","prompt":"p","__proto__":{"lifetime":"persistent"}}]}'),
    JSON.parse('{"name":"T","members":[],"__proto__":{"polluted":true}}'),
    JSON.parse('{"name":"T","members":[],"constructor":{"prototype":{"polluted":true}}}'),
    { name: "T", members: [{ name: "A", prompt: () => "p" }] },
    { name: "T", members: [{ name: "A", prompt: "p", agentType: { run: "code" } }] },
  ];
  for (const input of hostile) expect(await run("team_create", input)).toMatch(/^BAD_INPUT/u);
  expect(port.commands).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
});

test("whatever JSON comes, the call has a result, and a refusal is short", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("team_create", "team_replan", "complete"), fc.jsonValue(), async (name, input) => {
      const result = await open().run(name, input);
      if (typeof result === "string") expect(result.length).toBeLessThan(2_000);
    }),
  );
});

test("what a schema allows is never changed on the way, blanks in optional fields aside", async () => {
  const word = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text.trim() !== "");
  const name = word.filter((text) => !/^\s*[[{]/u.test(text));
  const members = fc.array(fc.record({ name, prompt: word, description: word, dependsOn: fc.array(name) }), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(name, members, async (team, list) => {
      const { port, run } = open();
      await run("team_create", { name: team, members: list });
      expect(port.commands).toMatchObject([{ spec: { name: team, members: list } }]);
    }),
  );
});
