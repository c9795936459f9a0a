import { describeAll } from "../../../src/machines/index.ts";

/** Transitions that no order of inputs can take, each with the reason; found by the pack, looked into one by one. */

const opened = "a call was just opened, so the run rests in a tool at least";
const ended = "an ended call ends what it asked for, and a plan is asked for by one call at a time";
const asked = "the call that asks is open and waits: the run rests in what was asked for";
const alone = "a run in back-off has no open call: its model call is what failed";
const oneLead = "a hosted lead of the model makes one call at a time";
const planFirst = "a plan is answered while its call is open";
const cancelOfWorking = "a replan may not cancel completed members, and a failure policy cancels blocked ones";
const noTeam = "a model's team is there from the first state on, and is not followed by another one";

const byPrefix: readonly (readonly [prefix: string, reason: string])[] = [];

/** Ids of the machines' transitions with the reason why the pack never takes them. */
export function uncoveredReasons(): Record<string, string> {
  const ids = Object.values(describeAll()).flatMap(({ transitions }) => transitions.map(({ id }) => id));
  const reasons: Record<string, string> = {};
  for (const [prefix, reason] of byPrefix)
    for (const id of ids) if (id === prefix || id.startsWith(`${prefix}|`)) reasons[id] = reason;
  return reasons;
}
void [opened, ended, asked, alone, oneLead, planFirst, cancelOfWorking, noTeam];
