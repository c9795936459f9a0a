import type { TeamCommand } from "../../tools/port.ts";
import { boardCommand } from "../commands/board-command.ts";
import type { Outgoing } from "../owner/owner.ts";
import type { PortContext } from "./run-port.ts";
import { dissolveEvent } from "../commands/session-inputs.ts";

/** A team command that is an input of its own; the answer to a request to shut down is a report of the run. */
export type SentCommand = Exclude<TeamCommand, { type: "shutdown.reply" }>;

/** The event and mailbox of a team command. */
export function commandOf(
  command: SentCommand,
  context: PortContext,
): Pick<Outgoing, "actor" | "event" | "body" | "plan"> {
  const team = context.teamToken() ?? "session";
  switch (command.type) {
    case "team.create":
      return { actor: "session", event: { type: "team.create", plan: "", byModel: true }, plan: command.spec };
    case "team.replan":
      return { actor: team, event: { type: "team.replan", plan: "", byModel: true }, plan: command.spec };
    case "team.invite":
      return { actor: team, event: context.invitation(command.spec), plan: command.spec };
    case "team.dissolve":
      return { actor: team, event: dissolveEvent(command.spec) };
    case "message.send":
      return {
        actor: context.mailboxOf(command.to),
        event: {
          type: "message.send",
          to: command.to.slice(0, 400),
          kind: "text",
          bytes: Buffer.byteLength(command.content),
        },
        body: command.content,
      };
    case "work.complete":
      return {
        actor: context.token,
        event: { type: "work.complete" },
        body: { summary: command.summary, paths: command.paths },
      };
    case "task.add":
    case "task.claim":
    case "task.update":
      return boardCommand(command, team);
    case "question.ask":
      return {
        actor: "lead",
        event: { type: "question.ask" },
        body: { question: command.question, choices: command.choices },
      };
    case "permission.answer":
      return permissionAnswerOf(command);
    case "plan.submit":
      return { actor: context.token, event: { type: "plan.submit" }, body: command.plan };
  }
}

function permissionAnswerOf({
  request,
  approve,
  note,
}: Extract<TeamCommand, { type: "permission.answer" }>): Pick<Outgoing, "actor" | "event"> {
  const said = note === null ? {} : { note };
  return { actor: "lead", event: { type: "permission.answer", request: request.slice(0, 200), approve, ...said } };
}
