import type { z } from "zod";
import { byteLength, LEAD } from "../protocol/names.ts";
import { InviteSpec, type InviteSpecInput } from "../protocol/spec.ts";
import { hookedLetter } from "./hooked-letter.ts";
import type { LivingAgent } from "./living-agent.ts";
import type { Outgoing } from "./owner.ts";
import { parseInput } from "./parse-input.ts";
import { MessageInput } from "./session-inputs.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** An invitation as a host gives it: the agent by its name, or itself. */
export type Invitation = Omit<InviteSpecInput, "agent"> & { readonly agent: string | LivingAgent };

/** The command that invites an agent, judged by what the host offers at this moment. */
export function inviteCommand(runtime: SessionRuntime, invitation: Invitation): Omit<Outgoing, "from"> {
  const { agent } = invitation;
  const named = { ...invitation, agent: typeof agent === "object" && agent !== null ? agent.name : agent };
  const plan = parseInput(InviteSpec, named, "invitation");
  const event = runtime.options.invitations.eventOf(plan, false);
  return { actor: runtime.state.team?.token ?? "session", event, plan };
}

/** The command that sends a message of the host, with what its hooks say to it. */
export async function letterCommand(
  runtime: SessionRuntime,
  message: z.input<typeof MessageInput>,
): Promise<Omit<Outgoing, "from">> {
  const { to, content, kind } = parseInput(MessageInput, message, "message");
  const from = runtime.options.config.lead === "none" ? LEAD : "user";
  const hook = await hookedLetter(runtime, { from, to, content, kind });
  const event = { type: "message.send", to: to.slice(0, 400), kind, bytes: byteLength(content), ...hook } as const;
  return { actor: runtime.mailboxOf(to), event, body: content };
}
