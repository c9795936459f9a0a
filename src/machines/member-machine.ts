import { memberContext } from "./member-events.ts";
import { memberPresence } from "./member-presence.ts";
import { memberRun } from "./member-run.ts";
import { memberSetup } from "./member-setup.ts";
import { memberWork } from "./member-work.ts";

/**
 * One member of a team: a node of the graph that works once the team starts it.
 *
 * Pure and small: names, texts, ids and open calls are kernel data; events carry verdicts computed from them. It never
 * starts work by itself: `desiredRun` says, from the snapshot alone, which run must be alive.
 */
export const memberMachine = memberSetup.createMachine({
  id: "member",
  context: memberContext("oneshot", false),
  type: "parallel",
  states: { work: memberWork, presence: memberPresence, run: memberRun },
});
