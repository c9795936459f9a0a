import type { UserCommands } from "../../actors/user-commands.ts";
import { TeamError } from "../../errors/index.ts";
import type { SessionSource } from "../sessions/session-source.ts";

/** What commands of the person who looks at a session go through. Throws `fenced` where nobody takes any. */
export function commandsOf({ id, commands }: SessionSource): UserCommands {
  if (commands !== null) return commands;
  throw new TeamError("fenced", { reason: `"${id}" is a recording, which takes no commands`, closed: true });
}
