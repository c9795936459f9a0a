import type { EventObject } from "xstate";
import { z } from "zod";
import { didYouMean, TeamError } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import { DissolveSpec, ReplanSpec } from "../../protocol/spec.ts";
import { dissolveEvent } from "./session-inputs.ts";
import type { Outgoing } from "../owner/owner.ts";
import { parseInput } from "../parse-input.ts";
import { sendAsHost } from "./send-as-host.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/**
 * What `.send` of a live actor means: an actor is never moved by it. The event becomes a command of the user, appended to
 * the actor's mailbox like any other; what comes of it is seen on the actor and in `events$`.
 */

type Command = Omit<Outgoing, "from">;
interface Target {
  readonly runtime: SessionRuntime;
  readonly token: string;
  /** Display name of the actor. */
  readonly name: string;
}

const Text = z.object({ content: z.string().min(1) });
const Interrupt = z.object({ reason: z.string().max(500).optional() });
const Retry = z.object({ prompt: z.string().optional() });

const replan = ({ runtime }: Target, spec: z.input<typeof ReplanSpec>): Command => ({
  actor: runtime.state.team?.token ?? "session",
  event: { type: "team.replan", plan: "", byModel: false },
  plan: ReplanSpec.parse(spec),
});

const memberCommands: Record<string, (target: Target, event: EventObject) => Command> = {
  "message.send"({ token, name }, event) {
    const { content } = parseInput(Text, event, "event");
    const bytes = Buffer.byteLength(content);
    return { actor: token, event: { type: "message.send", to: name, kind: "text", bytes }, body: content };
  },
  "member.cancel": (target) => replan(target, { cancel: [target.name] }),
  "member.retry"(target, event) {
    const { prompt } = parseInput(Retry, event, "event");
    return replan(target, { retry: [prompt === undefined ? { name: target.name } : { name: target.name, prompt }] });
  },
  "member.shutdown": (target) => replan(target, { shutdown: [target.name] }),
  "member.interrupt"({ token, name }, event) {
    const { reason } = parseInput(Interrupt, event, "event");
    return {
      actor: token,
      event: { type: "member.interrupt", member: name, ...(reason === undefined ? {} : { reason }) },
    };
  },
};

const teamCommands: typeof memberCommands = {
  "team.replan": (target, { type: _type, ...spec }) => replan(target, parseInput(ReplanSpec, spec, "event")),
  "team.dissolve"({ token }, { type: _type, ...spec }) {
    return { actor: token, event: dissolveEvent(parseInput(DissolveSpec, spec, "event")) };
  },
};

const leadCommands: typeof memberCommands = {
  "lead.prompt"(_target, event) {
    const { content } = parseInput(Text, event, "event");
    return { actor: "lead", event: { type: "lead.prompt", bytes: Buffer.byteLength(content) }, body: content };
  },
};

/**
 * Sends a live actor's event as the user's command. Throws `bad_input` at once for an event that no actor of this kind
 * takes, with the ones it does; a refusal by the session is told to `onFault`.
 */
export function sendLive(runtime: SessionRuntime, token: string, event: EventObject): void {
  const member = runtime.state.members.get(token);
  const commands =
    member !== undefined ? memberCommands : token === "lead" ? leadCommands : token === "session" ? {} : teamCommands;
  const name = member?.name ?? token;
  const make = Object.hasOwn(commands, event.type) ? commands[event.type] : undefined;
  if (make === undefined) {
    const known = Object.keys(commands);
    const hint = didYouMean(nearestName(event.type, known));
    const takes = known.length === 0 ? "it takes no events" : `it takes ${known.join(", ")}`;
    throw new TeamError("bad_input", { what: `event "${event.type}" to ${name}`, problem: `${takes}${hint}` });
  }
  const { onFault } = runtime.options;
  const from = runtime.options.config.lead === "none" && event.type !== "lead.prompt" ? "lead" : "user";
  sendAsHost(runtime, { ...make({ runtime, token, name }, event), from }).then((reply) => {
    if ("refused" in reply) onFault(TeamError.from(reply.refused));
  }, onFault);
}
