import fc from "fast-check";
import { expect, test } from "vitest";
import { isTeamError } from "../../src/errors/index.ts";
import { parseTeamFile } from "../../src/cli/parse-team-file.ts";

/** What a text is refused for, or "fine". */
const faultsOf = (text: string): readonly string[] => {
  try {
    parseTeamFile(text, "a.yaml");
    return ["fine"];
  } catch (error) {
    if (!isTeamError(error, "bad_file")) throw error;
    return error.problems.map((problem) => (problem.data as { problem: string }).problem);
  }
};

const team = `team:
  name: T
  members:
    - { name: A, prompt: p }
`;

test("YAML and JSON say the same, with and without a byte order mark or Windows line ends", () => {
  const json = JSON.stringify({ team: { name: "T", members: [{ name: "A", prompt: "p" }] } });
  const parsed = parseTeamFile(team, "a.yaml");
  expect(parsed.team?.members).toHaveLength(1);
  for (const text of [json, team.replaceAll("\n", "\r\n"), `# a comment\n${team}`, `---\n${team}...\n`]) {
    expect(parseTeamFile(text, "a")).toEqual(parsed);
  }
});

test("names are names: what a program would trip over, and what YAML would read as something else", () => {
  const file = parseTeamFile(
    `lead: { prompt: p }\nscript:\n  __proto__: [{ text: a }]\n  constructor: []\n  1.0: []\n  true: []\n  "": []\n  null: []\n  0x10: []\n`,
    "a",
  );
  expect([...(file.script?.keys() ?? [])]).toEqual(["__proto__", "constructor", "1.0", "true", "", "null", "0x10"]);
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
});

test("what a scripted call is given is kept as it is", () => {
  const file = parseTeamFile(
    `${team}script:\n  A: [{ calls: [{ tool: complete, input: { __proto__: { x: 1 } } }] }]\n`,
    "a",
  );
  const [entry] = file.script?.get("A") ?? [];
  expect(JSON.stringify(entry)).toBe('{"calls":[{"tool":"complete","input":{"__proto__":{"x":1}}}]}');
});

test.each([
  ["", "it is empty; declare `lead` or `team`"],
  ["# nothing", "it is empty; declare `lead` or `team`"],
  ["hello", "it is no mapping of keys to values; declare `lead` or `team`"],
  ["[1, 2]", "it is no mapping of keys to values; declare `lead` or `team`"],
  ["limits: {}", "line 1:1: it has neither `lead` nor `team`; declare one of them"],
  [`${team}lead: { prompt: go }\n`, "line 2:3: team: it stands beside `lead`; keep one of them"],
  [team.replace("members", "mebers"), 'line 3:3: team: unknown key "mebers" (did you mean "members"?)'],
  [team.replace("prompt", "promt"), 'line 4:18: team.members[0]: unknown key "promt" (did you mean "prompt"?)'],
  [`${team}limit: 3\n`, 'line 5:1: unknown key "limit" (did you mean "limits"?). Known: workspace, agents,'],
  [`${team}limits: { hops: 3 }\n`, 'line 5:11: limits: unknown key "hops"'],
  [`${team}permissions: { mod: deny }\n`, 'line 5:16: permissions: unknown key "mod" (did you mean "mode"?)'],
  [
    `${team}permissions: { rules: { denny: [] } }\n`,
    'line 5:25: permissions.rules: unknown key "denny" (did you mean "deny"?). Known: allow, deny, ask',
  ],
  [
    `${team}agents: { a: { permissions: { overideLeadMode: true } } }\n`,
    'agents.a.permissions: unknown key "overideLeadMode" (did you mean "overrideLeadMode"?)',
  ],
  [`${team}permissions: { rules: { deny: ["rm -rf /"] } }\n`, 'permissions.rules.deny[0]: "rm -rf /" is no rule'],
  [`${team}agents: { "a b": { modle: x } }\n`, 'line 5:20: agents["a b"]: unknown key "modle" (did you mean "model"?)'],
  [
    team.replace("A, prompt: p", "7, prompt: p"),
    "line 4:15: team.members[0].name: 7 is read as a number; put it in quotes",
  ],
  [team.replace(", prompt: p", ""), "line 4:7: team.members[0].prompt: it is missing; give a string"],
  [`${team}script: { A: [{ error: oops }] }\n`, 'line 5:24: script.A[0].error: expected one of "overloaded"'],
  [`${team}script: { A: [{ txt: oops }] }\n`, "line 5:15: script.A[0]: expected an entry with one of: calls"],
  [`${team}team: {}\n`, "line 5:1: this key stands here twice; keep one of them"],
  [`${team}script: { 1: [], "1": [] }\n`, "line 5:18: this key stands here twice; keep one of them"],
  ['{"team": {}, "team": {}}', "line 1:14: this key stands here twice; keep one of them"],
  [`${team}---\n${team}`, "it holds more than one document; keep one"],
  ["lead: { prompt: !!js/function 'x' }", "line 1:17: the tag tag:yaml.org,2002:js/function is not allowed"],
  ["lead: !!binary aGk=", "line 1:16: the tag tag:yaml.org,2002:binary is not allowed"],
  ["lead: !mine { prompt: x }", "line 1:7: the tag !mine is not allowed"],
  [`%YAML 1.1\n---\n${team}`, "line 1:1: it is YAML 1.1; remove the line, 1.2 is read"],
  ["? [a]\n: b", "line 1:3: a key must be text; put it in quotes"],
  ["lead: *nobody", "nresolved alias"],
  ["a: b: c", "line 1:4: nested mappings are not allowed"],
  ["\tlead: 1", "line 1:1: tabs are not allowed as indentation"],
  ["[".repeat(50_000), "it is nested too deeply"],
])("%j is refused: %s", (text, problem) => {
  expect(faultsOf(text).join("\n")).toContain(problem);
});

test("all faults are told in one go, at most twenty", () => {
  const wrong = `team:\n  name: T\n  members:\n${"    - { nam: A }\n".repeat(30)}`;
  const faults = faultsOf(wrong);
  expect(faults).toHaveLength(20);
  expect(faults[0]).toContain("line 4:");
  expect(() => parseTeamFile(wrong, "a.yaml")).toThrow(/^a\.yaml: line 4:.*\(and 19 more\)$/s);
});

test("anchors and aliases work and cannot explode", () => {
  const file = parseTeamFile(`team:\n  name: &t T\n  members: [{ name: A, prompt: *t }]\n`, "a");
  expect(file.team?.members[0]?.prompt).toBe("T");
  const bomb = Array.from({ length: 30 }, (_, at) => `l${at}: &l${at} [${`*l${at - 1},`.repeat(9)}]`);
  expect(faultsOf(["l0: &l0 [x]", ...bomb.slice(1)].join("\n"))).toEqual([
    "its aliases repeat too much; write the values out",
  ]);
});

test.each([
  "team: &a [*a]",
  "lead: &a { prompt: p, tools: [*a] }",
  `${team}script: { A: [{ calls: [{ tool: t, input: &a { x: *a } }] }] }`,
])("a circle is refused: %s", (text) => {
  expect(faultsOf(text)).not.toEqual(["fine"]);
});

const yamlWord = fc.constantFrom(
  ..."team lead agents script limits members name prompt dependsOn A __proto__ constructor calls tool input".split(" "),
  ..."- : ? | > & * ! % @ ` [ ] { } , # ~ null true 1 .inf << !!js/function &a *a --- ... \" '".split(" "),
  "\n",
  "\n  ",
  "\n    ",
  "\t",
  " ",
  ": ",
  "- ",
);

test("random YAML is a file or a bad_file, never anything else", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(yamlWord, fc.string({ maxLength: 4 })), { maxLength: 60 }), (words) => {
      expect(faultsOf(words.join("")).length).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test("random values under known keys are a file or a bad_file that names a place", () => {
  const key = fc.constantFrom("team", "lead", "agents", "script", "limits", "workspace", "__proto__");
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue(), { minKeys: 1 }), (value) => {
      for (const fault of faultsOf(JSON.stringify(value))) expect(fault).toMatch(/^fine$|^line \d+:\d+: \S/);
    }),
    { numRuns: 500 },
  );
});

test("a script for nobody of the team is a fault with its line, the nearest member and all of them", () => {
  const members = "team: { name: T, members: [{ name: Ann, prompt: p }, { name: Bob, prompt: p }] }\n";
  expect(faultsOf(`${members}script:\n  Ann: []\n  Bobb: []\n`)).toEqual([
    'line 4:3: script: "Bobb" is no member of the team (did you mean "Bob"?). Members: Ann, Bob',
  ]);
  expect(faultsOf("lead: { prompt: p }\nscript: { Anybody: [] }\n")).toEqual(["fine"]);
});

test("a script's actor is the member of that name in whatever form of Unicode", () => {
  const text = `team: { name: T, members: [{ name: "Zo\u00eb", prompt: p }] }\nscript: { "Zoe\u0308": [] }\n`;
  expect(faultsOf(text)).toEqual(["fine"]);
});
