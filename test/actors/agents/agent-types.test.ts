import { expect, test } from "vitest";
import type { Agent, TeamSystemOptions } from "../../../src/index.ts";
import { calls, delivers, startHttpTeam, taskOf } from "../../support/http-team.ts";
import type { Reply, ServedRequest } from "../../support/openai-server.ts";
import { call, complete, member, one, rejection, startSystem, until } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const toolsOf = ({ body }: ServedRequest): string[] => (body.tools ?? []).map((tool) => tool.function.name);
const wireOf = ({ body }: ServedRequest, name: string): string =>
  JSON.stringify(body.tools?.find((tool) => tool.function.name === name));

/** A lead that makes a team of one member, which delivers; then the lead answers. */
const leads =
  (agentType?: string) =>
  (request: ServedRequest): Reply => {
    if (taskOf(request) !== "Lead") return delivers();
    if (JSON.stringify(request.body.messages).includes("started")) return { text: "done" };
    const added = { name: "Ann", prompt: "Task of Ann.", ...(agentType === undefined ? {} : { agentType }) };
    return calls(["team_create", { name: "T", members: [added] }]);
  };

test("R47: `default` takes the place of `general`: it is who names no type, under either name", async () => {
  const ran: string[] = [];
  await using tests = await startSystem({
    agents: { default: { run: ({ name }) => void ran.push(name) }, other: { run: () => {} } },
  });
  const session = await tests.open();
  const members = [one("A"), one("B", { agentType: "general" }), one("C", { agentType: "default" })];
  const team = await session.createTeam({ name: "T", members });
  await team.finished();
  await session.replan({ add: [one("D")] });
  await team.finished();
  expect(ran).toEqual(["A", "B", "C", "D"]);
  expect(session.status().members.map(({ agentType }) => agentType)).toEqual(Array(4).fill("default"));
  expect(session.state.config?.agentTypes.map(({ name }) => name)).toEqual(["default", "other"]);
});

test("R47: without a `default`, that name means `general`", async () => {
  await using tests = await startSystem({ script: { A: [complete()] } });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A", { agentType: "default" })] });
  expect(await team.finished()).toMatchObject({ members: [{ agentType: "general", status: "completed" }] });
});

test.each([
  ["reviewer", "Reviewer"],
  ["code-reviewer", "code reviewer"],
  ["ｒeviewer", "reviewer"],
  ["general", "default"],
])("R47: the types %j and %j can't be told apart, and no system is made of them", async (name, other) => {
  const agents = new Map<string, Agent>([
    [name, {}],
    [other, {}],
  ]);
  expect(await rejection(startSystem({ agents }))).toMatchObject({
    code: "name_collision",
    data: { name: other, other: name, of: "agent types" },
  });
});

test("R47: an unknown type is refused with those that there are and the nearest one", async () => {
  await using tests = await startSystem({ agents: { reviewer: {}, writer: {} } });
  const session = await tests.open();
  const unknown = session.createTeam({ name: "T", members: [one("A", { agentType: "reviwer" })] });
  expect(await rejection(unknown)).toMatchObject({
    code: "unknown_agent_type",
    data: { known: ["general", "reviewer", "writer"], nearest: "reviewer" },
  });
});

test("R47: the lead's tools tell each type with its description, and name the default", async () => {
  const agents = { default: { description: "Does anything." }, reviewer: { description: "Reviews code." } };
  await using tests = await startHttpTeam(leads("reviewer"), { agents });
  const session = await tests.open({ lead: {} });
  await session.send("Go.");
  await session.settled();
  const [first] = tests.server.requests;
  const wire = first === undefined ? "" : wireOf(first, "team_create");
  expect(wire).toContain("- default: Does anything.\\n- reviewer: Reviews code.");
  expect(wire).toContain('"agentType":{"default":"default"');
  expect(first === undefined ? "" : wireOf(first, "task")).toContain('"agentType":{"default":"default"');
  expect(member(session, "Ann")).toMatchObject({ agentType: "reviewer", status: "completed" });
});

test.each<Record<string, Agent>>([{}, { default: { description: "Does anything." } }])(
  "R47: with the default type alone (%j) nobody is asked for a type",
  async (agents) => {
    await using tests = await startHttpTeam(leads(), { agents });
    const session = await tests.open({ lead: {} });
    await session.send("Go.");
    await session.settled();
    const [first] = tests.server.requests;
    expect(["team_create", "team_replan", "task"].map((name) => first && wireOf(first, name)).join()).not.toContain(
      "agentType",
    );
    expect(member(session, "Ann").status).toBe("completed");
  },
);

const leadOnly = ["team_create", "team_replan", "team_dissolve"];
const everybodys = ["team_status", "team_send_message", "complete", "team_mail"];

test.each([
  ["all", [...leadOnly, ...everybodys, "shutdown_reply"]],
  ["role", [...everybodys, "shutdown_reply"]],
] as const)("R18: with toolVisibility %s a member is shown %j", async (toolVisibility, shown) => {
  await using tests = await startHttpTeam(leads(), { toolVisibility });
  const session = await tests.open({ lead: {} });
  await session.send("Go.");
  await session.settled();
  const ofMember = tests.server.requests.find((request) => taskOf(request) === "Ann");
  const ofLead = tests.server.requests[0];
  expect(ofMember && toolsOf(ofMember)).toEqual(shown);
  expect(ofLead && toolsOf(ofLead)).toEqual(expect.arrayContaining(leadOnly));
});

test("R18: a tool that is hidden from a member is none of its tools when it calls it all the same", async () => {
  await using tests = await startSystem({
    script: { A: [call("team_dissolve"), complete()] },
    toolVisibility: "role",
  });
  const session = await tests.open();
  const team = await session.createTeam({ name: "T", members: [one("A")] });
  expect(await team.finished()).toMatchObject({ outcome: "completed", state: "finished" });
});

test("R65: a lead that delegates has the team's tools and the user, and nothing to work with; its members do", async () => {
  await using tests = await startHttpTeam(leads(), { workspace: temporaryFolder() });
  const session = await tests.open({ lead: { leadMode: "delegate" } });
  await session.send("Go.");
  await session.settled();
  const [ofLead] = tests.server.requests;
  const ofMember = tests.server.requests.find((request) => taskOf(request) === "Ann");
  const team = [...leadOnly, ...everybodys];
  expect(ofLead && toolsOf(ofLead)).toEqual([...team, "ask_user_question", "confirm"]);
  expect(ofMember && toolsOf(ofMember)).toEqual(expect.arrayContaining(["read_file", "write_file"]));
});

test("R65: tools for a lead that delegates are refused when its session is opened", async () => {
  await using tests = await startSystem();
  const lead = { leadMode: "delegate", tools: ["read_file"] } as const;
  expect(await rejection(tests.open({ lead }))).toMatchObject({ code: "bad_input", data: { what: "lead.tools" } });
});

test("R40: a type keeps its members to its own steps and turns, within those of the session", async () => {
  await using tests = await startSystem({
    script: {
      A: Array.from({ length: 9 }, () => call("team_status")),
      B: Array.from({ length: 9 }, () => ({ text: "hm" })),
      C: [...Array.from({ length: 4 }, () => call("team_status")), complete()],
    },
    agents: { steps: { stepsMax: 2 }, turns: { turnsMax: 2 }, plain: {} },
  });
  const session = await tests.open();
  const members = [
    one("A", { agentType: "steps" }),
    one("B", { agentType: "turns" }),
    one("C", { agentType: "plain" }),
  ];
  const [steps, turns, plain] = (await (await session.createTeam({ name: "T", members })).finished()).members;
  expect(steps).toMatchObject({ reason: "budget: stepsMax: 2 of 2", modelCalls: 2 });
  expect(turns).toMatchObject({ modelCalls: 2 });
  expect(turns?.reason).toMatch(/^budget: .*turnsMax/u);
  expect(plain).toMatchObject({ status: "completed", modelCalls: 5 });
});

const refused: readonly [string, Partial<TeamSystemOptions>][] = [
  ["agents.it.stepsMax", { agents: { it: { stepsMax: 51 } } }],
  ["agents.it.turnsMax", { agents: { it: { turnsMax: 3 } }, limits: { turnsMax: 2 } }],
  ["agents.it.turnsMax", { agents: { it: { turnsMax: 0 } } }],
  ["agents.it.compactAt", { agents: { it: { compactAt: 80 } } }],
  ["agents.it.contextTokens", { agents: { it: { contextTokens: 1.5 } } }],
  ["agents.it.compact", { agents: { it: { compact: "short" as never } } }],
  ["agents.it.isolation", { agents: { it: { isolation: "container" as never } } }],
];

test.each(refused)(
  "%s: what can't be, or is more than the session allows, is refused at the start",
  async (what, options) => {
    expect(await rejection(startSystem(options))).toMatchObject({ code: "bad_input", data: { what } });
  },
);

test("turns are counted by what a session was opened with, so a function that makes the agent can't say them", async () => {
  await using tests = await startSystem({ agents: { it: () => ({ turnsMax: 2 }) } });
  const session = await tests.open();
  await session.createTeam({ name: "T", members: [one("A", { agentType: "it" })] });
  await until(() => member(session, "A").status === "failed");
  expect(member(session, "A").reason).toContain("agents.it.turnsMax");
});
