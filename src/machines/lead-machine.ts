import { assign, not, setup, stateIn } from "xstate";
import type { LeadKind } from "../protocol/session-config.ts";
import { lossesMax } from "./member-events.ts";

/** Where a lead's live turn goes on; computed from its open calls, polls and questions. */
export type LeadActivity = "thinking" | "tool" | "waiting_external" | "awaiting_team" | "asking_user";

/** What a lead consumes. */
export type LeadEvent =
  | { readonly type: "lead.prompted" }
  /** Something unseen that is worth a turn; sent once per batch. */
  | { readonly type: "notice.arrived" }
  | { readonly type: "run.injected" }
  | { readonly type: "run.answered" }
  | { readonly type: "run.erred" }
  | { readonly type: "run.retried"; readonly rest: LeadActivity }
  | { readonly type: "tool.started"; readonly rest: LeadActivity }
  | { readonly type: "tool.ended"; readonly rest: LeadActivity }
  | { readonly type: "poll.opened"; readonly rest: LeadActivity }
  | { readonly type: "poll.closed"; readonly rest: LeadActivity }
  | { readonly type: "question.asked"; readonly rest: LeadActivity }
  | { readonly type: "question.answered"; readonly rest: LeadActivity }
  | { readonly type: "external.asked"; readonly rest: LeadActivity }
  | { readonly type: "external.answered"; readonly rest: LeadActivity }
  | { readonly type: "step.ended" }
  | { readonly type: "turn.ended"; readonly unseen: boolean }
  | { readonly type: "run.failed" }
  | { readonly type: "run.lost" }
  | { readonly type: "owner.changed" }
  | { readonly type: "team.activated" }
  | { readonly type: "team.dissolving" }
  | { readonly type: "team.dissolved" }
  | { readonly type: "permission.opened" }
  | { readonly type: "permission.closed"; readonly more: boolean }
  | { readonly type: "session.closed" };

/** What steers a lead, beside its state. */
export interface LeadContext {
  readonly kind: LeadKind;
  readonly run: number;
  readonly losses: number;
}

/** The context of a lead that was never prompted. */
export const leadContext = (kind: LeadKind): LeadContext => ({ kind, run: 0, losses: 0 });

// The one cast: XState infers the machine's types from this value and never reads it.
const types: { context: LeadContext; events: LeadEvent } = null as never;
const asked = (): void => {};
const rests =
  (activity: LeadActivity) =>
  ({ event }: { event: LeadEvent }): boolean =>
    "rest" in event && event.rest === activity;

const leadSetup = setup({
  types,
  actions: {
    announceTurnEnded: asked,
    announceTurnFailed: asked,
    closePolls: asked,
    nextRun: assign({ run: ({ context }) => context.run + 1 }),
    countLoss: assign({ losses: ({ context }) => context.losses + 1 }),
    clearLosses: assign({ losses: 0 }),
  },
  guards: {
    isHosted: ({ context }) => context.kind === "hosted",
    mayRestart: ({ context }) => context.losses + 1 < lossesMax,
    hasUnseen: ({ event }) => event.type === "turn.ended" && event.unseen,
    hasMoreRequests: ({ event }) => event.type === "permission.closed" && event.more,
    hasTeam: stateIn({ team: "active" }),
    isDissolving: stateIn({ team: "dissolving" }),
    restsInTool: rests("tool"),
    restsInExternal: rests("waiting_external"),
    restsInPoll: rests("awaiting_team"),
    restsInQuestion: rests("asking_user"),
  },
});

const toRest = [
  { guard: "restsInQuestion", target: ".asking_user" },
  { guard: "restsInPoll", target: ".awaiting_team" },
  { guard: "restsInExternal", target: ".waiting_external" },
  { guard: "restsInTool", target: ".tool" },
  { target: ".thinking" },
] as const;

const start = { target: "live", actions: "nextRun" } as const;

const turn = leadSetup.createStateConfig({
  initial: "waiting_user",
  on: { "session.closed": ".shutdown" },
  states: {
    waiting_user: {
      tags: "idle",
      description: "Nobody's turn but the user's. A lead with its own loop, and no lead at all, stay here.",
      on: {
        "lead.prompted": { guard: "isHosted", ...start },
        "team.activated": { guard: "isHosted", target: "ended" },
      },
    },
    ended: {
      tags: "idle",
      description: "Its turn ended while a team is there; news wakes it once per batch.",
      on: { "lead.prompted": start, "notice.arrived": start, "team.dissolved": "waiting_user" },
    },
    live: {
      tags: "in_progress",
      initial: "thinking",
      exit: "closePolls",
      on: {
        "lead.prompted": {},
        "run.injected": {},
        "run.answered": {},
        "tool.started": [...toRest],
        "tool.ended": [...toRest],
        "poll.opened": [...toRest],
        "poll.closed": [...toRest],
        "question.asked": [...toRest],
        "question.answered": [...toRest],
        "external.asked": [...toRest],
        "external.answered": [...toRest],
        "run.retried": [...toRest],
        "run.erred": ".backing_off",
        "step.ended": { actions: "clearLosses" },
        "turn.ended": [
          { guard: "hasUnseen", target: "live", reenter: true, actions: ["announceTurnEnded", "nextRun"] },
          { guard: "hasTeam", target: "ended", actions: "announceTurnEnded" },
          { guard: "isDissolving", target: "ended", actions: "announceTurnEnded" },
          { target: "waiting_user", actions: "announceTurnEnded" },
        ],
        "run.failed": [
          { guard: "hasTeam", target: "ended", actions: "announceTurnFailed" },
          { guard: "isDissolving", target: "ended", actions: "announceTurnFailed" },
          { target: "waiting_user", actions: "announceTurnFailed" },
        ],
        "run.lost": [
          { guard: "mayRestart", target: "live", reenter: true, actions: ["nextRun", "countLoss"] },
          { guard: "hasTeam", target: "ended", actions: ["announceTurnFailed", "clearLosses"] },
          { guard: "isDissolving", target: "ended", actions: ["announceTurnFailed", "clearLosses"] },
          { target: "waiting_user", actions: ["announceTurnFailed", "clearLosses"] },
        ],
        "owner.changed": { target: "live", reenter: true },
      },
      states: {
        thinking: { description: "A model call is in flight." },
        tool: { description: "At least one tool call is open." },
        waiting_external: { description: "A call waits for somebody outside." },
        awaiting_team: { description: "It waits in team_status for the next notable change." },
        asking_user: { description: "It asked the user and waits for the answer." },
        backing_off: { description: "The provider refused; the call is repeated after a pause." },
      },
    },
    shutdown: { tags: "shutdown", description: "The session is closed." },
  },
});

/** The agent that talks to the user: its turn, the team as it sees it, and whether somebody asks for a permission. */
export const leadMachine = leadSetup.createMachine({
  id: "lead",
  context: leadContext("hosted"),
  type: "parallel",
  states: {
    turn,
    team: {
      initial: "none",
      states: {
        none: { on: { "team.activated": "active" } },
        active: { on: { "team.dissolving": "dissolving", "team.dissolved": "dissolved" } },
        dissolving: { on: { "team.dissolved": "dissolved" } },
        dissolved: { on: { "team.activated": "active" } },
      },
    },
    permissions: {
      initial: "none",
      states: {
        none: { on: { "permission.opened": "asking" } },
        asking: {
          on: { "permission.opened": {}, "permission.closed": { guard: not("hasMoreRequests"), target: "none" } },
        },
      },
    },
  },
});
