import { describeAll } from "../../../src/machines/index.ts";

/** Transitions that no order of inputs takes, each with the reason; and states that nobody rests in. */

const opened = "the call that was just opened is open: the run rests in a tool at least";
const stillOpen = "who asked is told by its call, which is open still: the run rests in a tool at least";
const asked = "what was just asked for waits: the run rests in it";
const onePlan = "a member's plan is asked for once at a time, and answered by then";
const backOff = "a run in back-off has no open call: the model call is what was put off";
const delivered = "the plan of a member that delivers was approved before, and it delivers once";
const noModel = "no model call is in flight while an accepted complete waits for its step";

const reasons: Readonly<Record<string, readonly string[]>> = {
  "a refused team is never made: its command is answered with the refusals": ["team.forming|team.refused|0"],
  "a replan cancels nobody who has completed, and a failure policy cancels the blocked ones": [
    "member.presence.running|member.cancel|0",
    "member.run.live|member.cancel|0",
  ],
  "every dissolve begins, also where it ends within the same input": ["lead.team.active|team.dissolved|0"],
  "a model has one team": ["lead.team.dissolved|team.activated|0"],
  [opened]: ["member.run.live|tool.started|4", "member.run.live|tool.started|5", "lead.turn.live|tool.started|4"],
  [asked]: [
    "member.run.live|permission.asked|2",
    "member.run.live|permission.asked|3",
    "member.run.live|permission.asked|4",
    "member.run.live|permission.asked|5",
    "member.run.live|external.asked|4",
    "member.run.live|external.asked|5",
    "lead.turn.live|poll.opened|2",
    "lead.turn.live|poll.opened|3",
    "lead.turn.live|poll.opened|4",
    "lead.turn.live|question.asked|1",
    "lead.turn.live|question.asked|2",
    "lead.turn.live|question.asked|3",
    "lead.turn.live|question.asked|4",
    "lead.turn.live|external.asked|4",
  ],
  [stillOpen]: [
    "member.run.live|permission.answered|4",
    "member.run.live|permission.answered|5",
    "member.run.live|external.answered|4",
    "member.run.live|external.answered|5",
    "member.run.live|plan.rejected|4",
    "member.run.live|plan.rejected|5",
    "member.run.live|plan.approved|4",
    "member.run.live|plan.approved|5",
    "lead.turn.live|poll.closed|4",
    "lead.turn.live|question.answered|4",
    "lead.turn.live|external.answered|4",
  ],
  [onePlan]: ["member.run.live|plan.rejected|0", "member.run.live|plan.approved|0"],
  [backOff]: [
    "member.run.live|run.retried|0",
    "member.run.live|run.retried|1",
    "member.run.live|run.retried|2",
    "member.run.live|run.retried|3",
    "lead.turn.live|run.retried|0",
    "lead.turn.live|run.retried|1",
    "lead.turn.live|run.retried|2",
    "lead.turn.live|run.retried|3",
  ],
  [delivered]: [
    "member.run.live.completing|plan.submitted|0",
    "member.run.live.completing|plan.approved|0",
    "member.run.live.completing|plan.rejected|0",
    "member.run.live.completing|work.complete|0",
  ],
  [noModel]: ["member.run.live.completing|run.erred|0", "member.run.live.completing|run.retried|0"],
};

/** Ids of the transitions that need not be taken, each with its reason. */
export const uncoveredReasons: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reasons).flatMap(([reason, ids]) => ids.map((id) => [id, reason])),
);

/** Ids of the states that are left within the input that enters them, or never entered, each with its reason. */
export const unrestedReasons: Readonly<Record<string, string>> = {
  "team.forming": "the input that declares a team also judges it",
  "team.rejected": "a refused team is never made",
  "team.dissolving.forcing": "whoever is forced is gone within the same input, and so is the team",
  "member.run.live.choosing": "left at once by its always",
};

/** Every transition of the machines. */
export const transitionIds = (): string[] =>
  Object.values(describeAll()).flatMap(({ transitions }) => transitions.map(({ id }) => id));
