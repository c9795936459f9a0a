import { TeamError, type TeamSystem } from "../../index.ts";

import { randomBytes } from "node:crypto";

/** A name for a session that sorts by time, is unlike every other, and is fit for a folder. */
export function newSessionId(nowMs: number): string {
  const [day, time] = new Date(nowMs).toISOString().replaceAll(/[-:]/g, "").split(/[T.]/);
  return `${day}-${time}-${randomBytes(3).toString("hex")}`;
}

/** A name that the bus knows already is `bad_input`; `resume` is what is typed to go on with it, null in memory. */
export async function requireNewSession(system: TeamSystem, id: string, resume: string | null): Promise<void> {
  if (!(await system.knownSessions()).includes(id)) return;
  const problem = `there is such a session already; go on with it by \`${resume}\`, or choose another name`;
  throw new TeamError("bad_input", { what: `--session ${id}`, problem });
}
