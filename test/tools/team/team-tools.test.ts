import { generateText, isStepCount, type ToolExecutionOptions } from "ai";
import { expect, test } from "vitest";
import { refusal } from "../../../src/errors/index.ts";
import type { MemberStatus } from "../../../src/protocol/status.ts";
import {
  completeAccepted,
  teamToolBlock,
  teamToolNames,
  teamTools,
  teamToolTraits,
} from "../../../src/tools/team/index.ts";
import { emptyStatus, RecordingPort } from "./recording-port.ts";
import { scriptedCalls } from "./scripted-answers.ts";

const call: ToolExecutionOptions<unknown> = { toolCallId: "c1", messages: [], context: {} };
const block = teamToolBlock({
  agentTypes: [{ name: "general" }, { name: "reviewer", description: "Reads code and says what is wrong." }],
});

const open = (role: "lead" | "member" = "lead") => {
  const port = new RecordingPort(role);
  return { port, tools: teamTools(port, block) };
};

/** What a model is sent of the tools. */
const wireOf = (tools: ReturnType<typeof teamTools>) =>
  Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    schema: inputSchema.jsonSchema,
  }));

const member = (name: string, more: Partial<MemberStatus> = {}): MemberStatus => ({
  name,
  agentType: "general",
  status: "in_progress",
  presence: "running",
  activity: "thinking",
  since: 5,
  dependsOn: [],
  waitingOn: [],
  unread: 0,
  attempt: 1,
  tokens: 7,
  modelCalls: 2,
  ...more,
});

test("R18: lead and members get the same block, byte for byte, in one order, frozen", () => {
  const lead = open("lead").tools;
  const other = open("member").tools;
  expect(JSON.stringify(wireOf(other))).toBe(JSON.stringify(wireOf(lead)));
  expect(Object.keys(lead)).toEqual([...teamToolNames]);
  for (const name of teamToolNames) {
    expect(other[name].inputSchema).toBe(lead[name].inputSchema);
    expect(Object.isFrozen(lead[name])).toBe(true);
  }
  expect(Object.isFrozen(lead)).toBe(true);
  expect(Object.isFrozen(lead.team_create.inputSchema.jsonSchema)).toBe(true);
});

test("a second block of the same agent types is the same block", () => {
  const again = teamToolBlock({
    agentTypes: [{ name: "general" }, { name: "reviewer", description: "Reads code and says what is wrong." }],
  });
  expect(JSON.stringify(wireOf(teamTools(new RecordingPort(), again)))).toBe(JSON.stringify(wireOf(open().tools)));
});

test("names, descriptions and schemas stay what models were told", () => {
  const sent = wireOf(open().tools).map(({ name, description, schema }) =>
    [`# ${name}`, description, JSON.stringify(schema, null, 2)].join("\n\n"),
  );
  expect(sent.join("\n\n")).toMatchSnapshot();
});

test("without a choice of agent types the schema has no agentType, and general is still accepted", async () => {
  const port = new RecordingPort();
  const tools = teamTools(port, teamToolBlock({ agentTypes: [{ name: "general" }] }));
  expect(JSON.stringify(wireOf(tools))).not.toContain("agentType");
  await tools.team_create.execute({ name: "T", members: [{ name: "Ann", prompt: "p", agentType: "general" }] }, call);
  expect(port.commands).toMatchObject([{ spec: { members: [{ agentType: "general" }] } }]);
});

test("U51: no text of the block or of a result speaks of polling", async () => {
  const { port, tools } = open();
  port.statusAnswer = { status: { ...emptyStatus, timedOut: true, waitedMs: 30_000 } };
  const result = await tools.team_status.execute({ since: 3 }, call);
  expect(result).toMatchObject({ timedOut: true, waitedMs: 30_000 });
  expect(JSON.stringify([wireOf(tools), result])).not.toMatch(/poll/iu);
});

test("the tools of a member are refused by who it is, before its arguments are read, and reach no session", async () => {
  const { port, tools } = open("member");
  for (const name of ["team_create", "team_replan", "team_dissolve"] as const) {
    expect(await tools[name].execute("nonsense" as never, call)).toBe(
      `LEAD_ONLY: only the Lead or the user may call ${name}; Ann is a member. Do: Ask the Lead by team_send_message.`,
    );
  }
  expect(port.commands).toEqual([]);
});

test("create hands on the whole spec and answers with names alone", async () => {
  const { port, tools } = open();
  const members = [{ name: "Ann", prompt: "p" }];
  expect(await tools.team_create.execute({ name: "T", members }, call)).toEqual({
    team: "T",
    revision: 1,
    started: ["Ann"],
    blocked: ["Bob"],
  });
  expect(port.commands).toEqual([
    {
      type: "team.create",
      spec: {
        name: "T",
        members: [
          {
            name: "Ann",
            prompt: "p",
            agentType: "general",
            dependsOn: [],
            lifetime: "oneshot",
            requirePlan: false,
          },
        ],
        comms: "all",
        upstreamFailure: "block",
      },
    },
  ]);
  expect(port.calls).toEqual([{ toolCallId: "c1", signal: undefined }]);
});

test("replan, dissolve, send and complete answer with their results", async () => {
  const { port, tools } = open();
  expect(await tools.team_replan.execute({ retry: [{ name: "Ann" }] }, call)).toEqual({
    revision: 2,
    cancelled: [],
    retried: ["Ann"],
    added: [],
    stillBlocked: ["Bob"],
    stranded: [],
  });
  expect(await tools.team_dissolve.execute({}, call)).toEqual({ outcome: "completed", cancelled: [] });
  expect(await tools.team_send_message.execute({ to: "Bob", content: "hi" }, call)).toEqual({
    accepted: true,
    to: [{ name: "Bob", status: "blocked" }],
  });
  expect(await tools.complete.execute({ summary: "s" }, call)).toEqual({ accepted: true });
  expect(port.commands.map(({ type }) => type)).toEqual([
    "team.replan",
    "team.dissolve",
    "message.send",
    "work.complete",
  ]);
});

test("R34: a status names members, why they failed and what they delivered, and no id", async () => {
  const { port, tools } = open();
  port.statusAnswer = {
    status: {
      ...emptyStatus,
      team: "T",
      state: "running",
      version: 9,
      members: [
        member("Ann", { status: "completed", summary: "s", paths: ["a.md"] }),
        member("Asks", { plan: "secret plan" }),
        member("Old", { status: "cancelled", reason: "model_error: network", replacedBy: "New" }),
      ],
      permissionRequests: [
        { id: "secret", member: "Ann", kind: "tool", tool: "execute", input: "{}", approver: "user", since: 1 },
      ],
    },
  };
  const result = await tools.team_status.execute({}, call);
  const shared = { agentType: "general", presence: "running", since: 5, dependsOn: [], waitingOn: [], unread: 0 };
  expect(result).toEqual({
    ...emptyStatus,
    team: "T",
    state: "running",
    version: 9,
    members: [
      { name: "Ann", ...shared, status: "completed", attempt: 1, summary: "s", paths: ["a.md"], tokens: 7 },
      { name: "Asks", ...shared, status: "in_progress", attempt: 1, tokens: 7 },
      {
        name: "Old",
        ...shared,
        status: "cancelled",
        attempt: 1,
        reason: "model_error: network; replaced by New",
        tokens: 7,
      },
    ],
    permissionRequests: [{ member: "Ann", kind: "tool", tool: "execute", approver: "user", since: 1 }],
  });
});

test("the last steps of a member are bounded, and say so", async () => {
  const { port, tools } = open();
  const steps = Array.from({ length: 30 }, (_, n) => (n === 29 ? "x".repeat(700) : `step ${n}`));
  port.statusAnswer = { status: { ...emptyStatus, steps } };
  const result = await tools.team_status.execute({ member: "Ann" }, call);
  expect(port.queries).toEqual([{ member: "Ann" }]);
  expect(result).toMatchObject({ steps: { length: 10, 9: `${"x".repeat(500)}... (200 characters more)` } });
});

test("a very large team is shown in part, with whoever failed and whoever was asked for, and says so", async () => {
  const { port, tools } = open();
  const members = Array.from({ length: 1_000 }, (_, n) =>
    member(`M${n}`, { status: n === 999 ? "failed" : "completed" }),
  );
  port.statusAnswer = { status: { ...emptyStatus, members } };
  const result = await tools.team_status.execute({ member: "m-998" }, call);
  if (typeof result === "string") throw new Error(result);
  expect(result.members.map(({ name }) => name).slice(-2)).toEqual(["M998", "M999"]);
  expect(result.members).toHaveLength(200);
  expect(result.note).toBe("800 members are not shown; give member to see a certain one");
});

test("a member's status never waits and asks for nobody's steps", async () => {
  const { port, tools } = open("member");
  await tools.team_status.execute({ since: 3, waitMs: 10, member: "Bob" }, call);
  expect(port.queries).toEqual([{}]);
});

test("several refusals are a line each, at most five, then how many more", async () => {
  const { port, tools } = open();
  port.reply = {
    refused: Array.from({ length: 7 }, (_, n) => refusal("name_collision", { name: `A${n}`, other: "A" })),
  };
  const text = await tools.team_create.execute({ name: "T", members: [{ name: "A", prompt: "p" }] }, call);
  if (typeof text !== "string") throw new Error("it was not refused");
  expect(text.split("\n")).toEqual([
    ...Array.from({ length: 5 }, (_, n) => expect.stringMatching(`^NAME_COLLISION: "A${n}" .* Do: .*\\.$`)),
    "2 more",
  ]);
});

test("an empty message is refused and not sent", async () => {
  const { port, tools } = open();
  expect(await tools.team_send_message.execute({ to: "Bob", content: " \n" }, call)).toMatch(/^BAD_INPUT: content/u);
  expect(port.commands).toEqual([]);
});

test("a port that throws gives a tool_error, not a rejection", async () => {
  const { port, tools } = open();
  port.command = () => Promise.reject(new Error("the bus is gone"));
  expect(await tools.team_dissolve.execute({}, call)).toBe("tool_error: the bus is gone");
});

test("every tool has traits: repeatable by call id, in the order of the step", () => {
  expect(teamToolTraits.team_status).toEqual({ idempotent: true, sideEffects: false, concurrent: false });
  for (const name of teamToolNames) expect(teamToolTraits[name]).toMatchObject({ idempotent: true, concurrent: false });
  expect(teamToolTraits.task).toEqual({ idempotent: false, sideEffects: true, concurrent: true });
});

test("U47: through the SDK, wrong arguments come back as short lines, and the model corrects them", async () => {
  const { port, tools } = open();
  const prompt = "x".repeat(30_000);
  const wrong = { name: "T", members: [{ name: "Ann", prompt, depends_on: [] }, { name: "Bob" }] };
  const right = { name: "T", members: [{ name: "Ann", prompt: "p" }] };
  const model = scriptedCalls(
    { toolName: "team_create", input: JSON.stringify(wrong) },
    { toolName: "team_create", input: JSON.stringify(right) },
  );
  const { steps } = await generateText({ model, tools, prompt: "go", stopWhen: isStepCount(5) });
  expect(steps[0]?.toolResults[0]?.output).toBe(
    [
      'BAD_INPUT: members[0]: there is no field "depends_on"; the nearest is "dependsOn". Do: Correct the input and try again.',
      "BAD_INPUT: members[1].prompt: it is missing. Do: Correct the input and try again.",
    ].join("\n"),
  );
  expect(steps[1]?.toolResults[0]?.output).toMatchObject({ started: ["Ann"] });
  expect(port.commands).toHaveLength(1);
});

test("only an accepted complete stops a loop; a refused one is corrected", async () => {
  const { port, tools } = open("member");
  port.existing.add("a.md");
  const model = scriptedCalls(
    { toolName: "complete", input: JSON.stringify({ summary: "s", paths: ["b.md"] }) },
    { toolName: "team_send_message", input: JSON.stringify({ to: "Bob", content: "hi" }) },
    { toolName: "complete", input: "{" },
    { toolName: "complete", input: JSON.stringify({ summary: "s", paths: ["a.md"] }) },
  );
  const { steps } = await generateText({ model, tools, prompt: "go", stopWhen: [completeAccepted, isStepCount(9)] });
  expect(steps.map(({ toolResults }) => toolResults[0]?.output)).toEqual([
    expect.stringMatching(/^MISSING_PATH: there is no "b\.md"/u),
    { accepted: true, to: [{ name: "Bob", status: "blocked" }] },
    undefined,
    { accepted: true },
  ]);
  expect(port.commands.at(-1)).toEqual({ type: "work.complete", summary: "s", paths: ["a.md"] });
});
