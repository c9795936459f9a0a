import { join } from "node:path";
import { expect, test } from "vitest";
import { teamsOfFile, type FileTeams } from "../../../src/cli/check/teams-of-file.ts";
import { parseTeamFile } from "../../../src/cli/parse-team-file.ts";
import { readTeamFile } from "../../../src/cli/read-team-file.ts";
import { checkModel, teamModel } from "../../../src/testing/index.ts";

const teamsOf = (text: string): FileTeams => teamsOfFile(parseTeamFile(text, "t.yaml"), "t.yaml");

const declared = (members: readonly string[]): string =>
  `team:\n  name: Chain\n  members:\n${members.map((member) => `    - ${member}\n`).join("")}`;

const scripted = (...calls: string[]): string =>
  `lead: { model: scripted, prompt: p }\r\nscript:\r\n  lead:\r\n${calls.map((call) => `    - calls: [{ ${call} }]\n`).join("")}`;

const create = (name: string, members: string): string =>
  `tool: team_create, input: { name: ${name}, members: [${members}] }`;

test("the declared team is checked with what steers it, without a lead", () => {
  const { teams, notes } = teamsOf(
    declared(["{ name: A, prompt: p }", "{ name: B, prompt: p, dependsOn: [A], lifetime: persistent }"]),
  );
  expect(notes).toEqual([]);
  expect(teams).toMatchObject([
    {
      name: "Chain",
      model: {
        lead: "none",
        members: [
          { name: "A", dependsOn: [], lifetime: "oneshot" },
          { name: "B", dependsOn: ["A"], lifetime: "persistent" },
        ],
      },
    },
  ]);
});

test("every team of a script is checked, with its lead; a call that would be refused is told and left out", () => {
  const { teams, notes } = teamsOf(
    scripted(
      create("One", "{ name: A, prompt: p }"),
      create("Loop", "{ name: A, prompt: p, dependsOn: [A] }"),
      create("Two", "{ name: B, prompt: p }"),
    ),
  );
  expect(teams.map(({ name, model }) => [name, model.lead])).toEqual([
    ["One", "hosted"],
    ["Two", "hosted"],
  ]);
  expect(notes).toEqual([expect.stringMatching(/^A team_create of the script is left out: .*cycle/)]);
});

test("the plans of a script are those of the team that was created last before them", () => {
  const { teams } = teamsOf(
    scripted(
      create("One", "{ name: A, prompt: p }"),
      "tool: team_replan, input: { cancel: [A] }",
      create("Two", "{ name: B, prompt: p }"),
      "tool: team_replan, input: { retry: [{ name: B }] }",
    ),
  );
  expect(teams.map(({ model }) => model.replans)).toMatchObject([[{ cancel: ["A"] }], [{ retry: [{ name: "B" }] }]]);
});

test("a recorded case of a failure and its replans is a team with those plans", async () => {
  const path = join(import.meta.dirname, "../../cases/failure-replan.team.yaml");
  const { teams, notes } = teamsOfFile(await readTeamFile(path), path);
  expect(notes).toEqual([]);
  expect(teams).toMatchObject([
    {
      model: { lead: "hosted", replans: [{ cancel: ["A"] }, { cancel: ["A"], add: [{ name: "A2", replaces: "A" }] }] },
    },
  ]);
});

test.each<[string, string, string, RegExp]>([
  [
    "a lead with a real model",
    "lead: { model: a/b, prompt: p }",
    "bad_file",
    /up to a\/b, so there is none to check; declare one under `team`/,
  ],
  [
    "a script without a team",
    "lead: { prompt: p }\nscript: { Lead: [{ text: hi }] }",
    "bad_file",
    /creates no team, so there is none to check/,
  ],
  ["a script whose only team is refused", scripted(create("T", "")), "empty_team", /at least one member/],
  ["a cycle", declared(["{ name: A, prompt: p, dependsOn: [A] }"]), "cycle", /form a cycle/],
  [
    "more members than are checked",
    declared(Array.from({ length: 2_001 }, (_, index) => `{ name: M${index}, prompt: p }`)),
    "bad_file",
    /the team has 2001 members, and at most 2000 are checked/,
  ],
])("%s is refused", (_what, file, code, message) => {
  expect(() => teamsOf(file)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});

test("a member that a plan adds brings the tasks of its type, and makes a board where there was none", () => {
  const agents =
    "agents:\n  builder: { instructions: b, tasks: [{ subject: build }, { subject: test, dependsOn: [1], priority: 2 }] }\n";
  const { teams } = teamsOf(
    agents +
      scripted(
        create("One", "{ name: A, prompt: p }"),
        "tool: team_replan, input: { add: [{ name: X, agentType: builder, prompt: p }] }",
      ),
  );
  const [first] = teams;
  if (first === undefined) throw new Error("no team");
  const model = teamModel(first.model);
  const session = model.initial();
  expect(session.team?.board).toBeNull();
  const move = model.moves(session).find(({ name }) => name.startsWith("a replan adds X"));
  if (move === undefined) throw new Error("no such plan");
  expect(model.step(session, move).applied.verdict).toBe("handled");
  expect(
    session.team?.board?.tasks.map(({ id, assignee, priority, dependsOn }) => [id, assignee, priority, dependsOn]),
  ).toEqual([
    [1, "X-t1", 0, []],
    [2, "X-t1", 2, [1]],
  ]);
  expect(checkModel(model, { budgets: { replan: 1, task: 1 }, limits: { statesMax: 2_000 } }).violation).toBeNull();
});
