import type { ModelMessage, ToolSet } from "ai";
import { TeamError } from "../../errors/index.ts";
import type { AcknowledgeResult, MailPage } from "../../protocol/mail.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import type { CallContext, OwnMailQuery, StatusAnswer, StatusQuery, TeamCommand, TeamPort } from "../../tools/port.ts";
import { batchMail, formatMail, inviteTools, toolsOfTeam } from "../../tools/team/index.ts";
import { hasBoard } from "./has-board.ts";
import { expectReply } from "../commands/expect-reply.ts";
import { acknowledgeMail, ownMail } from "../mail/own-mail.ts";
import { commandOf } from "../runs/command-of.ts";
import type { PortContext } from "../runs/run-port.ts";
import { sendAsHost } from "../commands/send-as-host.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** What a step of your own loop gets: its messages, with the lead's mail appended when there is any. */
export type PrepareStep = (step: { readonly messages: ModelMessage[] }) => Promise<{ messages: ModelMessage[] }>;

/** The lead of a loop that somebody else runs: the same commands, known by number instead of by a run. */
class OwnLeadPort implements TeamPort {
  readonly caller = "Lead";
  readonly role = "lead";
  readonly #runtime: SessionRuntime;
  readonly #context: PortContext;

  constructor(runtime: SessionRuntime, context: PortContext) {
    this.#runtime = runtime;
    this.#context = context;
  }

  command(command: TeamCommand, call: CallContext): Promise<Reply> {
    if (command.type === "work.complete" || command.type === "shutdown.reply")
      return Promise.resolve({ ok: { type: "accepted" } });
    return sendAsHost(this.#runtime, { ...commandOf(command, this.#context), from: "lead" }, call.signal);
  }

  async status({ since, waitMs, member }: StatusQuery, { signal }: CallContext): Promise<StatusAnswer> {
    const { owner, status } = this.#context;
    signal?.throwIfAborted();
    const command = owner.nextKey();
    const event = {
      type: "team.status",
      ...(since === undefined ? {} : { since }),
      ...(waitMs === undefined ? {} : { waitMs }),
    } as const;
    // A poll ends with the call that asked: an aborted one must not stay open until its window ends.
    const end = (): void => {
      owner
        .append({ actor: "lead", from: "lead", event: { type: "poll.ended", call: String(command.n) } })
        .catch(() => {});
    };
    signal?.addEventListener("abort", end, { once: true });
    try {
      const reply = await owner.command({ actor: "lead", from: "lead", event, command }, signal);
      if ("refused" in reply) return { refused: reply.refused };
      if (reply.ok.type !== "status")
        throw new TeamError("kernel_error", { problem: `${reply.ok.type} answers a status` });
      const { changed, waitedMs, timedOut } = reply.ok;
      return { status: { ...status({ member, changed }), ...(since === undefined ? {} : { waitedMs, timedOut }) } };
    } finally {
      signal?.removeEventListener("abort", end);
    }
  }

  tasks(): readonly TaskStatus[] | null {
    return this.#context.tasks();
  }

  mail(query: OwnMailQuery): MailPage {
    return ownMail(this.#context.mailLog, "lead", query);
  }

  acknowledge(handles: readonly string[], { signal }: CallContext): Promise<AcknowledgeResult> {
    const { owner, mailLog } = this.#context;
    return acknowledgeMail(mailLog, { box: "lead", handles }, (outgoing) =>
      owner.command({ ...outgoing, from: "lead" }, signal),
    );
  }

  isAskedToShutDown(): boolean {
    return false;
  }

  pathExists(path: string): Promise<boolean> {
    return this.#context.pathExists(path);
  }

  answerOf(call: string): string {
    return this.#context.answerOf(call);
  }
}

/** Tools and `prepareStep` for a lead whose loop is the user's own `generateText`. */
export function ownLoop(
  runtime: SessionRuntime,
  parts: SessionParts,
): { readonly tools: () => ToolSet; readonly prepareStep: PrepareStep } {
  const port = new OwnLeadPort(runtime, parts.leadContext(runtime));
  const { owner, options } = runtime;
  const toolSets = { plain: toolsOfTeam(port, parts.blocks, false), board: toolsOfTeam(port, parts.blocks, true) };
  /** Mail that a step has taken while the log doesn't say so yet: two steps at once must not both read it. */
  const taken = new Set<string>();
  return {
    tools: () => ({
      ...(hasBoard(runtime) ? toolSets.board : toolSets.plain),
      ...inviteTools(port, runtime.options.invitations.offered()),
    }),
    async prepareStep({ messages }) {
      // A hosted lead reads its own mail, and without a lead it is delivered when it comes.
      if (options.config.lead !== "own") return { messages };
      const batch = batchMail(runtime.state.lead.unread.filter((each) => !taken.has(each.id)));
      if (batch.length === 0) return { messages };
      const ids = batch.map((each) => each.id);
      const mail = batch.map((each) => ({ ...each, text: runtime.contentOf(each) }));
      const content = formatMail(mail, { now: options.clock.now() });
      for (const id of ids) taken.add(id);
      try {
        const event = { type: "lead.injected", mail: ids } as const;
        expectReply(await owner.command({ actor: "lead", from: "lead", event }), "accepted");
      } finally {
        for (const id of ids) taken.delete(id);
      }
      return { messages: [...messages, { role: "user", content }] };
    },
  };
}
