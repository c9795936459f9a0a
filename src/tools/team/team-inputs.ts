import { z } from "zod";
import { isDefaultAgentType } from "../../protocol/default-agent-type.ts";
import { AddedMemberSpec, DissolveSpec, MemberSpec, ReplanSpec, TeamSpec } from "../../protocol/spec.ts";
import { TaskSpec } from "../../protocol/task.ts";
import { modelInput } from "./model-input.ts";

/** A type of agent that members can have, as models are told. */
export interface AgentTypeListing {
  readonly name: string;
  readonly description?: string | undefined;
}

/** Whether there is anything to choose: the default type alone is no choice, so models don't see the field. */
export const hasChoice = (agentTypes: readonly AgentTypeListing[]): boolean =>
  agentTypes.some(({ name }) => !isDefaultAgentType(name));

/** The type of members that name none. */
export const defaultTypeOf = (agentTypes: readonly AgentTypeListing[]): string =>
  agentTypes.find(({ name }) => isDefaultAgentType(name))?.name ?? "general";

/** Entries of one list in a model's call; how many members there may be is for the kernel to say. */
const listMax = 1_000;
const names = z.array(z.string()).max(listMax);
const agentTypeText = "One of the known agent types.";

// Plan approval, how long one may idle, who may write to whom and the policy for failed upstreams are the host's to set, not a model's.
const Member = MemberSpec.omit({ requirePlan: true, idleMs: true }).extend({
  dependsOn: names
    .default([])
    .describe("Names of members of this call that must complete before this one starts. Leave it out for none."),
});
const AddedMember = AddedMemberSpec.omit({ requirePlan: true, idleMs: true }).extend({
  dependsOn: names
    .optional()
    .describe("Members that must complete first. Left out together with replaces: those of the member replaced."),
});

const Team = TeamSpec.omit({ comms: true, upstreamFailure: true, board: true, tasks: true });
const Task = TaskSpec.extend({
  dependsOn: z
    .array(z.int().min(1))
    .max(listMax)
    .default([])
    .describe("Numbers, in this list from 1, of the tasks that must be completed first. Leave it out for none."),
});
const createSchema = <Schema extends z.ZodType, Shown extends z.ZodType>(
  member: Schema,
  task: Shown,
  isOn: boolean,
) => {
  const schema = Team.extend({
    members: z.array(member).max(listMax).describe("All members."),
    tasks: z.array(task).max(listMax).optional().describe("Tasks of the team's board."),
  });
  // Without a board the field is not there: whoever gives it is told so, and nobody else can tell.
  return isOn ? schema : (schema.omit({ tasks: true }) as unknown as typeof schema);
};

const Replan = ReplanSpec.extend({
  cancel: names.default([]).describe("Members to cancel, running ones too."),
  retry: z
    .array(
      z.strictObject({
        name: z.string(),
        prompt: z.string().optional().describe("The whole new task; leave it out to keep the old one."),
      }),
    )
    .max(listMax)
    .default([])
    .describe("Failed members to start again, or completed persistent ones with a new task."),
  rewire: z
    .array(z.strictObject({ name: z.string(), dependsOn: names }))
    .max(listMax)
    .default([])
    .describe("New dependencies of blocked members."),
  shutdown: names.default([]).describe("Members to ask to shut down, idle or running."),
  reason: ReplanSpec.shape.reason.describe("Why, in a sentence."),
});
const replanSchema = <Schema extends z.ZodType>(added: Schema) =>
  Replan.extend({ add: z.array(added).max(listMax).default([]).describe("New members.") });

const Dissolve = DissolveSpec.extend({
  mode: DissolveSpec.shape.mode.describe("graceful (default) or abort."),
  graceMs: DissolveSpec.shape.graceMs.describe("How long running members may take to stop, in ms."),
  reason: DissolveSpec.shape.reason.describe("Why, in a sentence."),
});

const Status = z.strictObject({
  since: z.int().min(0).optional().describe("The version of the last result: waits until something happens after it."),
  waitMs: z.number().min(0).optional().describe("With since: the longest wait in ms. Leave it out."),
  member: z.string().optional().describe("Also show the last steps of this member."),
});

const Send = z.strictObject({
  to: z.string().describe("Name of a member, Lead, or broadcast."),
  content: z.string().describe("The message."),
});

const Complete = z.strictObject({
  summary: z.string().describe("The result itself, at most 4 kB."),
  paths: z.array(z.string()).default([]).describe("Files of the workspace that belong to the result, at most 50."),
});

/** The inputs of the block: what models see, and the specs that come of it. With `tasks` a team can be created with some. */
export function teamInputs(
  agentTypes: readonly AgentTypeListing[],
  { tasks = false }: { readonly tasks?: boolean } = {},
) {
  const shown = hasChoice(agentTypes) ? {} : ({ agentType: true } as const);
  const { agentType } = MemberSpec.shape;
  const typed = { agentType: agentType.unwrap().default(defaultTypeOf(agentTypes)).describe(agentTypeText) };
  const [member, added] = [Member.extend(typed), AddedMember.extend(typed)];
  return {
    create: modelInput(
      createSchema(member, Task, tasks).transform((spec) => TeamSpec.parse(spec)),
      createSchema(member.omit(shown), Task.omit(shown), tasks),
    ),
    replan: modelInput(
      replanSchema(added).transform((spec) => ReplanSpec.parse(spec)),
      replanSchema(added.omit(shown)),
    ),
    dissolve: modelInput(Dissolve),
    status: modelInput(Status),
    send: modelInput(Send),
    complete: modelInput(Complete),
  } as const;
}
