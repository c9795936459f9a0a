import { assign, setup } from "xstate";
import type { FeedEvent } from "../feed/follow-session.ts";

/** What moves the page from one mode to another. */
export type ModeEvent =
  | FeedEvent
  | { readonly type: "file.opened" }
  | { readonly type: "feed.started" }
  | { readonly type: "position.head" }
  | { readonly type: "position.past" };

/** What people are told of a mode. */
export interface ModeContext {
  readonly code: string | null;
  readonly message: string | null;
}

// The one cast: XState infers the machine's types from this value and never reads it.
const types: { context: ModeContext; events: ModeEvent } = null as never;

const says = assign<ModeContext, ModeEvent, undefined, ModeEvent, never>(({ event }) => ({
  code: "code" in event ? event.code : null,
  message: "message" in event ? event.message : null,
}));

const started = {
  "feed.started": { target: ".loading", actions: "clear" },
  "file.opened": { target: ".offline", actions: "clear" },
} as const;

/**
 * The mode of a session's page: where its log comes from, and whether its end is shown or a place before. The two don't
 * know each other: one may look back while the log goes on, and a lost connection doesn't move what is looked at.
 */
export const modeMachine = setup({
  types,
  actions: { says, clear: assign({ code: null, message: null }) },
}).createMachine({
  id: "mode",
  context: { code: null, message: null },
  type: "parallel",
  states: {
    source: {
      initial: "loading",
      on: started,
      states: {
        loading: {
          description: "The log is being loaded.",
          on: {
            "feed.live": "live",
            "feed.lost": { target: "reconnecting", actions: "says" },
            "feed.failed": { target: "failed", actions: "says" },
            "feed.ended": "ended",
          },
        },
        live: {
          description: "Records come as they happen.",
          on: {
            "feed.lost": { target: "reconnecting", actions: "says" },
            "feed.failed": { target: "failed", actions: "says" },
            "feed.ended": "ended",
          },
        },
        reconnecting: {
          description: "The service does not answer; it is asked again.",
          on: {
            "feed.live": { target: "live", actions: "clear" },
            "feed.lost": { actions: "says" },
            "feed.failed": { target: "failed", actions: "says" },
            "feed.ended": "ended",
          },
        },
        offline: { description: "A recording is open; there is no service." },
        ended: { description: "The session is closed: no record will come." },
        failed: { description: "The service refused." },
      },
    },
    position: {
      initial: "head",
      states: {
        head: { description: "The end of the log is shown.", on: { "position.past": "replay" } },
        replay: { description: "An earlier place is shown.", on: { "position.head": "head" } },
      },
    },
  },
});
