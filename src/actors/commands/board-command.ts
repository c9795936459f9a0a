import type { TaskCommand } from "../../tools/port.ts";
import type { Outgoing } from "../owner/owner.ts";

/** The event, mailbox and plan of a command about the board of the team of this token. */
export function boardCommand(command: TaskCommand, team: string): Pick<Outgoing, "actor" | "event" | "plan"> {
  switch (command.type) {
    case "task.add":
      return { actor: team, event: { type: "task.add", plan: "" }, plan: command.spec };
    case "task.update":
      return { actor: team, event: { type: "task.update", plan: "" }, plan: command.change };
    case "task.claim": {
      const { task, owner } = command;
      const named = owner === null ? {} : { owner: owner.slice(0, 400) };
      return { actor: team, event: { type: "task.claim", ...(task === null ? {} : { task }), ...named } };
    }
  }
}
