import type { z } from "zod";
import { byteLength } from "../../protocol/names.ts";
import {
  DissolveSpec,
  InviteSpec,
  ReplanSpec,
  TeamSpec,
  type DissolveSpecInput,
  type InviteSpecInput,
  type ReplanSpecInput,
} from "../../protocol/spec.ts";
import type { LivingAgent } from "../agents/living-agent.ts";
import type { Outgoing } from "../owner/owner.ts";
import { parseInput } from "../parse-input.ts";
import {
  AnswerText,
  dissolveEvent,
  interruptEvent,
  MessageInput,
  type InterruptInput,
  PlanAnswerInput,
} from "./session-inputs.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import type { TeamDeclaration } from "../session/team-declaration.ts";

/** An invitation as a host gives it: the agent by its name, or itself. */
export type Invitation = Omit<InviteSpecInput, "agent"> & { readonly agent: string | LivingAgent };

/** The command that invites an agent, judged by what the host offers at this moment. */
function inviteCommand(runtime: SessionRuntime, invitation: Invitation): Omit<Outgoing, "from"> {
  const { agent } = invitation;
  const named = { ...invitation, agent: typeof agent === "object" && agent !== null ? agent.name : agent };
  const plan = parseInput(InviteSpec, named, "invitation");
  const event = runtime.options.invitations.eventOf(plan, false);
  return { actor: runtime.state.team?.token ?? "session", event, plan };
}

/** The command that creates a team. */
function createCommand<Name extends string>(declaration: TeamDeclaration<Name>): Omit<Outgoing, "from"> {
  const plan = parseInput(TeamSpec, declaration, "team");
  return { actor: "session", event: { type: "team.create", plan: "", byModel: false }, plan };
}

/** The command that changes the team. */
function replanCommand({ state }: SessionRuntime, spec: ReplanSpecInput): Omit<Outgoing, "from"> {
  const plan = parseInput(ReplanSpec, spec, "replan");
  const event = { type: "team.replan", plan: "", byModel: false } as const;
  return { actor: state.team?.token ?? "session", event, plan };
}

/** The command that ends what a member is doing. */
function interruptCommand(
  runtime: SessionRuntime,
  name: string,
  options: z.input<typeof InterruptInput>,
): Omit<Outgoing, "from"> {
  const event = interruptEvent(name, options);
  return { actor: runtime.mailboxOf(event.member), event };
}

/** The command that answers a member's plan. */
function planAnswerCommand(
  runtime: SessionRuntime,
  name: string,
  answer: z.input<typeof PlanAnswerInput>,
): Omit<Outgoing, "from"> {
  const { approve, feedback } = parseInput(PlanAnswerInput, answer, "answer");
  const member = parseInput(AnswerText, name, "member");
  return { actor: runtime.mailboxOf(member), event: { type: "plan.answer", member, approve }, body: feedback };
}

/** The command that sends a message of the host. */
function letterCommand(runtime: SessionRuntime, message: z.input<typeof MessageInput>): Omit<Outgoing, "from"> {
  const { to, content, kind } = parseInput(MessageInput, message, "message");
  const event = { type: "message.send", to: to.slice(0, 400), kind, bytes: byteLength(content) } as const;
  return { actor: runtime.mailboxOf(to), event, body: content };
}

/** The command that ends the team. */
function dissolveCommand({ state }: SessionRuntime, spec: DissolveSpecInput): Omit<Outgoing, "from"> {
  const event = dissolveEvent(parseInput(DissolveSpec, spec, "dissolve"));
  return { actor: state.team?.token ?? "session", event };
}

/** No call has a longer id: a longer one is nobody's, and need not be kept whole to be refused. */
const callCharsMax = 2_000;

/** The command that answers a question of the lead. */
function questionAnswerCommand(id: string, answer: string): Omit<Outgoing, "from"> {
  const body = parseInput(AnswerText, answer, "answer");
  const call = parseInput(AnswerText, id, "id").slice(0, callCharsMax);
  return { actor: "lead", event: { type: "question.answer", call }, body };
}

/** What a host asks of its session, as commands without their sender. Each throws `bad_input` for what is none. */
export const hostCommands = Object.freeze({
  create: createCommand,
  replan: replanCommand,
  invite: inviteCommand,
  dissolve: dissolveCommand,
  letter: letterCommand,
  interrupt: interruptCommand,
  planAnswer: planAnswerCommand,
  questionAnswer: questionAnswerCommand,
});
