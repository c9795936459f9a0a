import { setup } from "xstate";

/** What a session consumes. Epochs are compared by the kernel; a stale one never gets here. */
export type SessionEvent =
  | { readonly type: "session.opened" }
  | { readonly type: "owner.claimed" }
  | { readonly type: "owner.released" }
  | { readonly type: "session.closed" };

// The one cast: XState infers the machine's types from this value and never reads it.
const types: { context: Record<string, never>; events: SessionEvent } = null as never;
const asked = (): void => {};

/** A session: the unit of ordering, ownership and replay. */
export const sessionMachine = setup({
  types,
  actions: { announceOwner: asked, closeEverything: asked },
}).createMachine({
  id: "session",
  context: {},
  initial: "unopened",
  states: {
    unopened: { on: { "session.opened": "opened" } },
    opened: {
      initial: "unowned",
      on: { "session.closed": { target: "closed", actions: "closeEverything" } },
      states: {
        unowned: { on: { "owner.claimed": { target: "owned", actions: "announceOwner" } } },
        owned: {
          on: {
            "owner.claimed": { target: "owned", reenter: true, actions: "announceOwner" },
            "owner.released": "unowned",
          },
        },
      },
    },
    closed: { tags: "shutdown" },
  },
});
