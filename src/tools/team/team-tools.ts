import type { ToolSet } from "ai";
import { refusal } from "../../errors/index.ts";
import type { CallContext, StatusQuery, TeamPort } from "../port.ts";
import { completeWork } from "./complete-work.ts";
import type { Answer } from "./model-input.ts";
import { statusResult, type StatusResult } from "./status-result.ts";
import { teamDescriptions } from "./team-descriptions.ts";
import { teamInputs, type AgentTypeListing } from "./team-inputs.ts";
import { answerFrom, teamTool, type TeamToolDefinition } from "./team-tool.ts";
import type { teamToolNames } from "./team-tool-traits.ts";

const define = <Given, Value>(definition: TeamToolDefinition<Given, Value>) => Object.freeze(definition);

/**
 * The block's names, descriptions and schemas, for `teamTools`. Made once per system: the lead and every member of every
 * session share these very objects, so that their prompts begin alike.
 */
export function teamToolBlock({
  agentTypes,
  tasks = false,
}: {
  readonly agentTypes: readonly AgentTypeListing[];
  /** Teams have a board: `team_create` takes tasks. */
  readonly tasks?: boolean;
}) {
  const inputs = teamInputs(agentTypes, { tasks });
  const texts = teamDescriptions(agentTypes, { tasks });
  return Object.freeze({
    create: define({
      name: "team_create",
      description: texts.team_create,
      input: inputs.create,
      leadOnly: true,
    }),
    replan: define({ name: "team_replan", description: texts.team_replan, input: inputs.replan, leadOnly: true }),
    dissolve: define({
      name: "team_dissolve",
      description: texts.team_dissolve,
      input: inputs.dissolve,
      leadOnly: true,
    }),
    status: define({ name: "team_status", description: texts.team_status, input: inputs.status, leadOnly: false }),
    send: define({
      name: "team_send_message",
      description: texts.team_send_message,
      input: inputs.send,
      leadOnly: false,
    }),
    complete: define({ name: "complete", description: texts.complete, input: inputs.complete, leadOnly: false }),
  });
}

/** A block made by `teamToolBlock`. */
export type TeamToolBlock = ReturnType<typeof teamToolBlock>;

/** A member's status never waits and shows nobody's steps: what a member does is between it and the Lead. */
async function readStatus(port: TeamPort, query: StatusQuery, call: CallContext): Promise<Answer<StatusResult>> {
  const { since, waitMs, member } = query;
  const answer = await port.status(port.role === "lead" ? { since, waitMs, member } : {}, call);
  return "refused" in answer ? answer : { ok: statusResult(answer.status, member) };
}

async function sendMessage(
  port: TeamPort,
  { to, content }: { readonly to: string; readonly content: string },
  call: CallContext,
) {
  if (content.trim() === "") {
    return { refused: [refusal("bad_input", { what: "content", problem: "it is empty; nothing was sent" })] };
  }
  const reply = await port.command({ type: "message.send", to, content }, call);
  return answerFrom(reply, "sent", ({ accepted, to: recipients }) => ({
    accepted,
    to: recipients.map(({ name, status }) => ({ name, status })),
  }));
}

/**
 * The tools of one caller, lead or member alike: the same names, order, descriptions and schemas. Who may do what is
 * decided by the port's role, in the call, and told as a result.
 */
export function teamTools(port: TeamPort, block: TeamToolBlock) {
  const tools = {
    team_create: teamTool(block.create, port, async (spec, call) =>
      answerFrom(
        await port.command({ type: "team.create", spec }, call),
        "created",
        ({ team, revision, started, blocked }) => ({ team, revision, started, blocked }),
      ),
    ),
    team_replan: teamTool(block.replan, port, async (spec, call) =>
      answerFrom(await port.command({ type: "team.replan", spec }, call), "replanned", (value) => {
        const { revision, cancelled, retried, added, stillBlocked, stranded } = value;
        return { revision, cancelled, retried, added, stillBlocked, stranded };
      }),
    ),
    team_dissolve: teamTool(block.dissolve, port, async (spec, call) =>
      answerFrom(await port.command({ type: "team.dissolve", spec }, call), "dissolved", (value) => {
        const { outcome, cancelled } = value;
        return { outcome, cancelled };
      }),
    ),
    team_status: teamTool(block.status, port, (query, call) => readStatus(port, query, call)),
    team_send_message: teamTool(block.send, port, (message, call) => sendMessage(port, message, call)),
    complete: teamTool(block.complete, port, (delivery, call) => completeWork(port, delivery, call)),
  } satisfies ToolSet & Record<(typeof teamToolNames)[number], unknown>;
  return Object.freeze(tools);
}
