import type { UserCommands } from "../../actors/commands/user-commands.ts";
import { TeamError } from "../../errors/index.ts";
import type { SessionSource } from "../sessions/session-source.ts";

/** What commands of the person who looks at a session go through. Rejects with `fenced` where nobody carries any out. */
export async function commandsOf(session: SessionSource): Promise<UserCommands> {
  const { id, commands } = session;
  if (commands === null)
    throw new TeamError("fenced", { reason: `"${id}" has ended and takes no commands`, closed: true });
  if (await session.hasOwner()) return commands;
  const reason = `nobody has "${id}" open, so nobody would carry this out; go on with it by \`teamchart resume ${id}\``;
  throw new TeamError("fenced", { reason });
}
