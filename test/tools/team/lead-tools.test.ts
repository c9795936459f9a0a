import { expect, test } from "vitest";
import { TeamError } from "../../../src/errors/index.ts";
import {
  inviteTools,
  leadToolNames,
  leadTools,
  permissionTools,
  type SubAgentTask,
} from "../../../src/tools/team/index.ts";
import { RecordingPort } from "./recording-port.ts";

const call = { toolCallId: "c1", messages: [], context: {} };

const archivist = { name: "Archivist", description: "Keeps what was decided." };

const open = (role: "lead" | "member" = "lead", agentTypes = [{ name: "general" }, { name: "reviewer" }]) => {
  const port = new RecordingPort(role);
  const tasks: SubAgentTask[] = [];
  const tools = leadTools(port, {
    agentTypes,
    runSubAgent: async (task) => {
      tasks.push(task);
      return `did ${task.description}`;
    },
  });
  return { port, tasks, tools: { ...tools, ...permissionTools(port), ...inviteTools(port, [archivist]) } };
};

test("task runs one sub-agent and returns its text", async () => {
  const { tasks, tools } = open();
  expect(await tools.task.execute({ description: "d", prompt: "p", agentType: "reviewer" }, call)).toBe("did d");
  expect(await tools.task.execute({ description: "d", prompt: "p" }, call)).toBe("did d");
  expect(tasks.map(({ agentType }) => agentType)).toEqual(["reviewer", "general"]);
});

test("a sub-agent of an unknown type is refused, with the nearest", async () => {
  const { tasks, tools } = open();
  expect(await tools.task.execute({ description: "d", prompt: "p", agentType: "reviever" }, call)).toMatch(
    /^UNKNOWN_AGENT_TYPE: .*did you mean "reviewer".* Use one of: general, reviewer\.$/u,
  );
  expect(tasks).toEqual([]);
});

test("a sub-agent that fails is a text for the lead", async () => {
  const { port } = open();
  const { task } = leadTools(port, {
    agentTypes: [],
    runSubAgent: () => Promise.reject(new TeamError("budget_exceeded", { budget: "b", used: 2, max: 1 })),
  });
  expect(await task.execute({ description: "d", prompt: "p" }, call)).toMatch(/^BUDGET_EXCEEDED/u);
});

test("questions go to the user, and the answer is the user's text", async () => {
  const { port, tools } = open();
  port.answer = "LEAD_ONLY: really?";
  expect(await tools.ask_user_question.execute({ question: "Which?", choices: ["a", "b"] }, call)).toEqual({
    answer: "LEAD_ONLY: really?",
  });
  await tools.confirm.execute({ question: "Sure?" }, call);
  expect(port.commands).toEqual([
    { type: "question.ask", question: "Which?", choices: ["a", "b"] },
    { type: "question.ask", question: "Sure?", choices: ["yes", "no"] },
  ]);
  expect(await tools.confirm.execute({ question: "" }, call)).toMatch(/^BAD_INPUT: question/u);
});

test("in a member's hands each of them is refused", async () => {
  const { port, tasks, tools } = open("member");
  for (const name of leadToolNames) expect(await tools[name]?.execute({} as never, call)).toMatch(/^LEAD_ONLY: /u);
  expect([port.commands, tasks]).toEqual([[], []]);
});

test("names, descriptions and schemas stay what models were told", () => {
  const wire = Object.entries(open("lead", [{ name: "general" }]).tools).map(([name, each]) => ({
    name,
    description: each?.description,
    schema: JSON.stringify(each?.inputSchema.jsonSchema),
  }));
  expect(wire.map(({ name }) => name)).toEqual([...leadToolNames]);
  expect(JSON.stringify(wire)).not.toMatch(/poll|agentType/iu);
  expect(wire).toMatchSnapshot();
});
