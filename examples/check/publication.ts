// The Writer's text is published only after the Reviewer has approved that very text.
import type { EventLine } from "teamchart";
import { hostCommands, type Protocol } from "teamchart/testing";
import { assign, setup, type SnapshotFrom } from "xstate";

/** What the members do, as the protocol hears it. */
export type PublicationEvent =
  | { type: `${"writer" | "reviewer"}.${"blocked" | "in_progress" | "completed" | "failed" | "cancelled"}` }
  | { type: "replan.refused" };

/** How often the host asks for another review before it gives up. */
export const asksMax = 2;

export const publicationMachine = setup({
  types: { context: {} as { hasDraft: boolean; asks: number }, events: {} as PublicationEvent },
  actions: {
    keepDraft: assign({ hasDraft: true }),
    dropDraft: assign({ hasDraft: false }),
    countAsk: assign({ asks: ({ context }) => context.asks + 1 }),
    /** The host's: see host.ts. */
    askAgain: () => {},
    publish: () => {},
  },
  guards: { hasDraft: ({ context }) => context.hasDraft, mayAsk: ({ context }) => context.asks < asksMax },
}).createMachine({
  id: "publication",
  context: { hasDraft: false, asks: 0 },
  initial: "drafting",
  on: {
    "writer.completed": { actions: "keepDraft" },
    "writer.in_progress": { actions: "dropDraft" },
    "writer.cancelled": ".abandoned",
    "reviewer.cancelled": ".abandoned",
  },
  states: {
    drafting: {
      description: "The Writer works, and nobody reads.",
      on: {
        "writer.completed": { target: "reviewing", actions: "keepDraft" },
        "reviewer.in_progress": "outdated",
      },
    },
    reviewing: {
      description: "The Reviewer reads the draft that would be published.",
      on: {
        "reviewer.completed": "published",
        "reviewer.failed": "judging",
        "writer.in_progress": { target: "outdated", actions: "dropDraft" },
      },
    },
    outdated: {
      description: "The Reviewer reads something else; its word says nothing of the draft.",
      on: { "reviewer.completed": "judging", "reviewer.failed": "judging" },
    },
    judging: { always: [{ guard: "mayAsk", target: "asking" }, { target: "abandoned" }] },
    asking: {
      description: "The host has the Reviewer begin again.",
      entry: ["countAsk", "askAgain"],
      on: {
        "reviewer.in_progress": [{ guard: "hasDraft", target: "reviewing" }, { target: "outdated" }],
        "reviewer.blocked": "waiting",
        "replan.refused": "abandoned",
      },
    },
    waiting: {
      description: "The Reviewer will begin when the Writer has delivered.",
      on: { "reviewer.in_progress": [{ guard: "hasDraft", target: "reviewing" }, { target: "outdated" }] },
    },
    published: { type: "final", entry: "publish" },
    abandoned: { type: "final", description: "Somebody must see to it." },
  },
});

/** What a line of `session.events$` says to the protocol: the one translation, in production and in the check. */
export function hear({ actor, event, verdict, status }: EventLine): PublicationEvent[] {
  if (event.type === "team.replan" && verdict === "refused") return [{ type: "replan.refused" }];
  if (verdict !== "handled" || status === undefined) return [];
  if (actor === "Writer") return [{ type: `writer.${status}` }];
  return actor === "Reviewer" ? [{ type: `reviewer.${status}` }] : [];
}

/** What the host asks for in `asking`. */
export const askAgain = { retry: [{ name: "Reviewer" }] };

const hostMoves = (publication: SnapshotFrom<typeof publicationMachine>) =>
  publication.matches("asking")
    ? [{ name: "the host asks the Reviewer again", budget: null, input: hostCommands.replan(askAgain) }]
    : [];

export const publication: Protocol<typeof publicationMachine> = {
  machine: publicationMachine,
  on: hear,
  moves: hostMoves,
};
