import { assign, setup } from "xstate";
import type { TeamOutcome } from "../protocol/reply.ts";

/** How the team stands; judged by the kernel once per input, when the session is settled. */
export type TeamVerdict = "running" | "stalled" | "finished";

/** What a team consumes: verdicts over its roster, which is kernel data. */
export type TeamEvent =
  | { readonly type: "team.accepted" }
  | { readonly type: "team.refused" }
  | { readonly type: "team.judged"; readonly verdict: TeamVerdict }
  | { readonly type: "team.replanned" }
  | { readonly type: "task.added" }
  | { readonly type: "task.claimed" }
  | { readonly type: "task.updated" }
  | {
      readonly type: "team.dissolve";
      readonly mode: "graceful" | "abort";
      readonly outcome: TeamOutcome;
      /** Whether anybody is running and can be asked. */
      readonly asks: boolean;
    }
  | { readonly type: "grace.expired" }
  | { readonly type: "team.emptied" };

/** What steers a team, beside its state. */
export interface TeamContext {
  /** Judged when the dissolve was accepted, before its own cancels. */
  readonly outcome: TeamOutcome;
}

/** The context of a team that was just declared. */
export const teamContext: TeamContext = { outcome: "dissolved" };

// The one cast: XState infers the machine's types from this value and never reads it.
const types: { context: TeamContext; events: TeamEvent } = null as never;
const asked = (): void => {};

const teamSetup = setup({
  types,
  actions: {
    announceStalled: asked,
    announceFinished: asked,
    announceDissolving: asked,
    announceDissolved: asked,
    shutDownResting: asked,
    askRunning: asked,
    forceAll: asked,
    keepOutcome: assign({
      outcome: ({ context, event }) => (event.type === "team.dissolve" ? event.outcome : context.outcome),
    }),
  },
  guards: {
    isRunning: ({ event }) => event.type === "team.judged" && event.verdict === "running",
    isStalled: ({ event }) => event.type === "team.judged" && event.verdict === "stalled",
    isFinished: ({ event }) => event.type === "team.judged" && event.verdict === "finished",
    asksRunning: ({ event }) => event.type === "team.dissolve" && event.mode === "graceful" && event.asks,
    isAbort: ({ event }) => event.type === "team.dissolve" && event.mode === "abort",
    endsCompleted: ({ context }) => context.outcome === "completed",
    endsFailed: ({ context }) => context.outcome === "failed",
  },
});

/** A team: formed whole or not at all, dissolved always within its grace period. */
export const teamMachine = teamSetup.createMachine({
  id: "team",
  context: teamContext,
  initial: "forming",
  states: {
    forming: {
      description: "The declaration is judged.",
      on: { "team.accepted": "active", "team.refused": "rejected" },
    },
    rejected: { description: "The declaration was refused; nothing was created." },
    active: {
      initial: "running",
      on: {
        "team.judged": [
          { guard: "isStalled", target: ".stalled" },
          { guard: "isFinished", target: ".finished" },
          { guard: "isRunning", target: ".running" },
        ],
        "team.replanned": {},
        "task.added": {},
        "task.claimed": {},
        "task.updated": {},
        "team.dissolve": [
          { guard: "asksRunning", target: "dissolving.asking", actions: "keepOutcome" },
          { target: "dissolving.forcing", actions: "keepOutcome" },
        ],
      },
      states: {
        running: { tags: "in_progress", description: "Somebody works." },
        stalled: {
          tags: "blocked",
          description: "Nobody works, and the team isn't finished: somebody must replan or dissolve.",
          entry: "announceStalled",
        },
        finished: {
          tags: "completed",
          description: "Everybody who was not cancelled has completed.",
          entry: "announceFinished",
        },
      },
    },
    dissolving: {
      entry: "announceDissolving",
      initial: "asking",
      on: {
        "team.emptied": [
          { guard: "endsCompleted", target: "dissolved.completed" },
          { guard: "endsFailed", target: "dissolved.failed" },
          { target: "dissolved.dissolved" },
        ],
      },
      states: {
        asking: {
          tags: "in_progress",
          description: "Running members are asked; the others are shut down already.",
          entry: ["shutDownResting", "askRunning"],
          on: {
            "grace.expired": "forcing",
            "team.dissolve": { guard: "isAbort", target: "forcing" },
          },
        },
        forcing: { tags: "in_progress", description: "Everybody is shut down at once.", entry: "forceAll" },
      },
    },
    dissolved: {
      entry: "announceDissolved",
      initial: "dissolved",
      states: {
        completed: { tags: ["completed", "shutdown"] },
        failed: { tags: ["failed", "shutdown"] },
        dissolved: { tags: ["cancelled", "shutdown"] },
      },
    },
  },
});
