import { parseInput } from "../../actors/parse-input.ts";
import { byteLength } from "../../protocol/names.ts";
import { ReplanSpec, type ReplanSpecInput } from "../../protocol/spec.ts";
import { badInput, kindOf, knownKeys, parseFields } from "../fields.ts";
import type { MoveInput } from "./move.ts";

/** Options of a command, or `bad_input` when there is one that nobody reads. */
function optionsOf<Options extends object>(options: Options, known: readonly (keyof Options & string)[], what: string) {
  knownKeys(parseFields(options, what), known, what);
  return options;
}

function assertText(value: unknown, what: string): asserts value is string {
  if (typeof value !== "string") throw badInput(what, `give a text, not ${kindOf(value)}`);
}

/**
 * What a host can do to a session, as inputs for moves of your own: what `session.replan`, `session.sendMessage` and
 * `session.dissolve` append. What the session would not take throws `bad_input`, with the path to each fault.
 */
export const hostCommands = {
  /** `session.replan(spec)`. */
  replan: (spec: ReplanSpecInput): MoveInput => ({
    actor: "session",
    from: "user",
    event: { type: "team.replan", plan: "plan", byModel: false },
    plan: parseInput(ReplanSpec, spec, "hostCommands.replan"),
  }),
  /** `session.sendMessage({ to, content })`: to a member's name, `Lead`, or `broadcast`. */
  sendMessage(options: { readonly to: string; readonly content: string }): MoveInput {
    const what = "hostCommands.sendMessage";
    const { to, content } = optionsOf(options, ["to", "content"], what);
    assertText(to, `${what}.to`);
    assertText(content, `${what}.content`);
    const event = { type: "message.send", to, kind: "text", bytes: byteLength(content) } as const;
    return { actor: "session", from: "user", event };
  },
  /** `session.dissolve({ mode })`. */
  dissolve(options: { readonly mode?: "graceful" | "abort" } = {}): MoveInput {
    const what = "hostCommands.dissolve";
    const { mode = "graceful" } = optionsOf(options, ["mode"], what);
    if (mode !== "graceful" && mode !== "abort")
      throw badInput(`${what}.mode`, `give "graceful" or "abort", not ${kindOf(mode)}`);
    return { actor: "session", from: "user", event: { type: "team.dissolve", mode } };
  },
} as const;
