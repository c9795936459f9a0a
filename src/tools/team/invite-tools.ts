import { z } from "zod";
import { InviteSpec, type InviteSpecInput } from "../../protocol/spec.ts";
import type { InviteResult } from "../../protocol/reply.ts";
import type { TeamPort } from "../port.ts";
import { modelInput } from "./model-input.ts";
import type { AgentTypeListing } from "./team-inputs.ts";
import { answerFrom, teamTool, type TeamTool } from "./team-tool.ts";

const description = (agents: readonly AgentTypeListing[]): string =>
  [
    "Invite an existing agent into the running team. It works as a member: the others write to it, it delivers by " +
      "complete, others may depend on it. It has its own instructions, model, tools and files, none of them yours, and " +
      "its own rights. When the team ends it only leaves; nobody can shut it down. Only the Lead may call this.",
    "Leave prompt out to have somebody who answers messages. The result says under which name everybody writes to it.",
    ["Who can be invited:", ...agents.map((each) => `- ${each.name}: ${each.description ?? ""}`)].join("\n"),
  ].join("\n\n");

/** `team_invite`, or nothing. */
export interface InviteTools {
  readonly team_invite?: TeamTool<InviteSpecInput, InviteResult>;
}

/** The tool that a lead has while somebody can be invited; who that is, is looked at again in the call. */
export function inviteTools(port: TeamPort, agents: readonly AgentTypeListing[]): InviteTools {
  const [first, ...others] = agents.map(({ name }) => name);
  if (first === undefined) return {};
  const shown = InviteSpec.extend({ agent: z.enum([first, ...others]).describe("Who is invited.") });
  const definition = Object.freeze({
    name: "team_invite",
    description: description(agents),
    input: modelInput(InviteSpec, shown),
    leadOnly: true,
  });
  return Object.freeze({
    team_invite: teamTool(definition, port, async (spec, call) =>
      answerFrom(await port.command({ type: "team.invite", spec }, call), "invited", (value) => {
        const { name, agent, revision, started } = value;
        return { name, agent, revision, started };
      }),
    ),
  });
}
