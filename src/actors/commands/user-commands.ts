import type { z } from "zod";
import { cloneSession, projectStatus } from "../../machines/index.ts";
import type { Refusal } from "../../errors/index.ts";
import { byteLength, canonicalRecipient, LEAD } from "../../protocol/names.ts";
import type { DissolveResult, ReplanResult, SendResult } from "../../protocol/reply.ts";
import { DissolveSpec, ReplanSpec, type DissolveSpecInput, type ReplanSpecInput } from "../../protocol/spec.ts";
import type { MemberStatus } from "../../protocol/status.ts";
import { expectReply } from "./expect-reply.ts";
import type { Outgoing } from "../owner/owner.ts";
import { parseInput } from "../parse-input.ts";
import { sessionBoard, type SessionBoard } from "../session/session-board.ts";
import { MessageInput, permissionAnswer } from "./session-inputs.ts";
import { sendAsHost } from "./send-as-host.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** What a change of the team would make of it. */
export interface ReplanPreview {
  readonly ok: boolean;
  /** The members as they would be; none when the change would be refused. */
  readonly members: readonly MemberStatus[];
  /** Every reason why it would be refused. */
  readonly problems: readonly Refusal[];
}

/**
 * Commands of the person who looks at a session, recorded as the user's whoever leads it. Each resolves when it is durable
 * and done, and rejects with a TeamError that changed nothing.
 */
export class UserCommands {
  /** The tasks of the team's board. */
  readonly board: SessionBoard;
  readonly #runtime: SessionRuntime;

  constructor(runtime: SessionRuntime) {
    this.#runtime = runtime;
    this.board = sessionBoard(runtime, (outgoing) => this.#command(outgoing));
  }

  /** Sends a message; to a lead that the session runs it is what the user says, which wakes it. */
  async sendMessage(message: z.input<typeof MessageInput>): Promise<SendResult> {
    const { to, content, kind } = parseInput(MessageInput, message, "message");
    const { options, state, facts } = this.#runtime;
    if (options.config.lead === "hosted" && canonicalRecipient(to) === LEAD) {
      const prompt = { type: "lead.prompt", bytes: byteLength(content) } as const;
      expectReply(await this.#command({ actor: "lead", event: prompt, body: content }), "accepted");
      return { accepted: true, to: [{ name: LEAD, status: facts.lead(state.lead.snapshot).turn }] };
    }
    const event = { type: "message.send", to: to.slice(0, 400), kind, bytes: byteLength(content) } as const;
    return expectReply(await this.#command({ actor: this.#runtime.mailboxOf(to), event, body: content }), "sent");
  }

  /** Changes the running team in one transition, or not at all. */
  async replan(spec: ReplanSpecInput): Promise<ReplanResult> {
    const plan = parseInput(ReplanSpec, spec, "spec");
    const event = { type: "team.replan", plan: "", byModel: false } as const;
    return expectReply(await this.#command({ actor: this.#team, event, plan }), "replanned");
  }

  /** What `replan` would do now. Nothing is changed and nothing recorded. */
  previewReplan(spec: ReplanSpecInput): ReplanPreview {
    const plan = parseInput(ReplanSpec, spec, "spec");
    const { owner, options, facts } = this.#runtime;
    const session = cloneSession(owner.state);
    const event = { type: "team.replan", plan: "", byModel: false } as const;
    const input = {
      id: "preview",
      at: options.clock.now(),
      actor: this.#team,
      from: "user",
      epoch: session.epoch,
      event,
    };
    const { replies } = options.kernel.apply(session, { seq: session.seq + 1, input, plan });
    const reply = replies.find(({ to }) => to.id === "preview")?.reply;
    if (reply !== undefined && "refused" in reply) return { ok: false, members: [], problems: reply.refused };
    const resultOf = (member: Parameters<SessionRuntime["resultOf"]>[0]) => this.#runtime.resultOf(member);
    const { members } = projectStatus(session, facts, resultOf, { changed: true, caller: "lead" });
    return { ok: true, members, problems: [] };
  }

  /** Ends the team; resolves when it is dissolved, within the grace period. */
  async dissolve(spec: DissolveSpecInput): Promise<DissolveResult> {
    const { mode, graceMs, reason } = parseInput(DissolveSpec, spec, "dissolve");
    const more = { ...(graceMs === undefined ? {} : { graceMs }), ...(reason === undefined ? {} : { reason }) };
    const event = { type: "team.dissolve", mode, ...more } as const;
    return expectReply(await this.#command({ actor: this.#team, event }), "dissolved");
  }

  /** Answers a permission request, whoever was to answer it; a second answer is refused. */
  async answerPermission(...answer: Parameters<typeof permissionAnswer>): Promise<void> {
    expectReply(await this.#command({ actor: "lead", event: permissionAnswer(...answer) }), "accepted");
  }

  get #team(): string {
    return this.#runtime.state.team?.token ?? "session";
  }

  #command(outgoing: Omit<Outgoing, "from">) {
    return sendAsHost(this.#runtime, { ...outgoing, from: "user" });
  }
}
