// The first version: `drafting -> published`, extended by one state, `reviewing`. It has two faults; see its test.
import type { Protocol } from "teamchart/testing";
import { setup } from "xstate";
import { hear, type PublicationEvent } from "./publication.ts";

export const hastyMachine = setup({
  types: { events: {} as PublicationEvent },
  /** The host's: see host.ts. */
  actions: { publish: () => {}, askAgain: () => {} },
}).createMachine({
  id: "publication",
  initial: "drafting",
  states: {
    drafting: { on: { "writer.completed": "reviewing" } },
    reviewing: {
      on: {
        "reviewer.completed": "published",
        // There will be another draft, so back to the start.
        "writer.in_progress": "drafting",
      },
    },
    published: { type: "final", entry: "publish" },
  },
});

export const hastyPublication: Protocol<typeof hastyMachine> = { machine: hastyMachine, on: hear };
