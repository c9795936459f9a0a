import { byteLength } from "../../protocol/names.ts";
import { ReplanSpec, type ReplanSpecInput } from "../../protocol/spec.ts";
import type { MoveInput } from "./move.ts";

/**
 * What a host can do to a session, as inputs for moves of your own: what `session.replan`, `session.sendMessage` and
 * `session.dissolve` append.
 */
export const hostCommands = {
  /** `session.replan(spec)`. */
  replan: (spec: ReplanSpecInput): MoveInput => ({
    actor: "session",
    from: "user",
    event: { type: "team.replan", plan: "plan", byModel: false },
    plan: ReplanSpec.parse(spec),
  }),
  /** `session.sendMessage({ to, content })`: to a member's name, `Lead`, or `broadcast`. */
  sendMessage: ({ to, content }: { readonly to: string; readonly content: string }): MoveInput => ({
    actor: "session",
    from: "user",
    event: { type: "message.send", to, kind: "text", bytes: byteLength(content) },
  }),
  /** `session.dissolve({ mode })`. */
  dissolve: ({ mode = "graceful" }: { readonly mode?: "graceful" | "abort" } = {}): MoveInput => ({
    actor: "session",
    from: "user",
    event: { type: "team.dissolve", mode },
  }),
} as const;
