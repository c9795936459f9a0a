import type { ToolSet } from "ai";
import { z } from "zod";
import { refusal } from "../../errors/index.ts";
import { TaskChange, TaskSpec, TaskState, type TaskStatus } from "../../protocol/task.ts";
import type { CallContext, TeamPort } from "../port.ts";
import { boardDescriptions } from "./board-texts.ts";
import { modelInput, type Answer } from "./model-input.ts";
import { listTasks } from "./task-list.ts";
import { hasChoice, type AgentTypeListing } from "./team-inputs.ts";
import { answerFrom, teamTool, type TeamToolDefinition } from "./team-tool.ts";
import type { boardToolNames } from "./team-tool-traits.ts";

const define = <Given, Value>(definition: Omit<TeamToolDefinition<Given, Value>, "leadOnly">) =>
  Object.freeze({ ...definition, leadOnly: false });

const number = z.int().min(1);
const numbers = z.array(number).max(1_000);

const Add = TaskSpec.extend({
  dependsOn: numbers.default([]).describe("Numbers of the tasks that must be completed first. Leave it out for none."),
});
const Claim = z.strictObject({
  task: number.optional().describe("Its number. Leave it out for the next one."),
  owner: z.string().optional().describe("For the Lead only: the member that is to do it."),
});
const Update = TaskChange.omit({ description: true, assignee: true, agentType: true }).extend({
  description: z.string().optional().describe("For the Lead only, like all below."),
  subject: z.string().optional(),
  dependsOn: numbers.optional().describe("Numbers of the tasks that it waits for from now on; [] for none."),
  assignee: z.string().optional().describe("The one member that may take it from now on."),
  unassign: z.boolean().optional().describe("true = it is for whoever may take tasks."),
});
const List = z.strictObject({
  task: number.optional().describe("Show this one, whole."),
  status: TaskState.optional().describe("Only those in this state."),
  owner: z.string().optional().describe("Only those that this member has or is to take."),
});

/** A change as the kernel takes it. */
function changeOf({ unassign, ...change }: z.infer<typeof Update>): TaskChange {
  return TaskChange.parse(unassign === true ? { ...change, assignee: null } : change);
}

/** Names, descriptions and schemas of the board's tools, made once per system and shared by all, like the block. */
export function boardToolBlock({ agentTypes }: { readonly agentTypes: readonly AgentTypeListing[] }) {
  return Object.freeze({
    add: define({
      name: "team_task_add",
      description: boardDescriptions.team_task_add,
      input: modelInput(Add, hasChoice(agentTypes) ? Add : Add.omit({ agentType: true })),
    }),
    claim: define({
      name: "team_task_claim",
      description: boardDescriptions.team_task_claim,
      input: modelInput(Claim),
    }),
    update: define({
      name: "team_task_update",
      description: boardDescriptions.team_task_update,
      input: modelInput(Update),
    }),
    list: define({ name: "team_task_list", description: boardDescriptions.team_task_list, input: modelInput(List) }),
  });
}

/** Tools made by `boardToolBlock`. */
export type BoardToolBlock = ReturnType<typeof boardToolBlock>;

/** What a claim tells: the whole task, or that there is none to take. */
interface ClaimResult {
  readonly task: TaskStatus | null;
}

async function claimTask(
  port: TeamPort,
  claim: z.infer<typeof Claim>,
  call: CallContext,
): Promise<Answer<ClaimResult>> {
  const { task = null, owner = null } = claim;
  const reply = await port.command({ type: "task.claim", task, owner }, call);
  return answerFrom(reply, "task_claimed", ({ task: taken }) => ({
    task: taken === null ? null : (port.tasks()?.find((each) => each.task === taken) ?? null),
  }));
}

/** The board's tools in the hands of one caller. Who may do what is judged by who calls, as in the block. */
export function boardTools(port: TeamPort, block: BoardToolBlock) {
  const tools = {
    team_task_add: teamTool(block.add, port, async (spec, call) =>
      answerFrom(await port.command({ type: "task.add", spec }, call), "task_added", ({ task, status }) => ({
        task,
        status,
      })),
    ),
    team_task_claim: teamTool(block.claim, port, (claim, call) => claimTask(port, claim, call)),
    team_task_update: teamTool(block.update, port, async (given, call) =>
      answerFrom(
        await port.command({ type: "task.update", change: changeOf(given) }, call),
        "task_updated",
        ({ task, status, unblocked }) => ({ task, status, unblocked }),
      ),
    ),
    team_task_list: teamTool(block.list, port, async (query) => {
      const tasks = port.tasks();
      if (tasks !== null) return listTasks(tasks, query);
      return { refused: [refusal("disabled", { what: "the task board", how: "Create a team with tasks first" })] };
    }),
  } satisfies ToolSet & Record<(typeof boardToolNames)[number], unknown>;
  return Object.freeze(tools);
}
