import { z } from "zod";
import type { TeamStatus } from "../../protocol/status.ts";
import type { Prompt, ToolOutput } from "./language-model-v4.ts";

/** What a `waitFor` needs of a status result; the rest of it is not looked at. */
const Status = z.object({
  state: z.string(),
  version: z.number().optional(),
  members: z.array(z.object({ name: z.string(), status: z.string() })),
  /** Only a look that waits says for how long. */
  waitedMs: z.number().optional(),
});
type Status = z.output<typeof Status>;

/** States of a team that no member leaves by itself, and no team at all: what isn't so by then never will be. */
const endStates: ReadonlySet<string> = new Set([
  "finished",
  "stalled",
  "completed",
  "failed",
  "dissolved",
  "none",
] satisfies TeamStatus["state"][]);

/** A tool call that was cut short (its owner died, its run ended) answers with a text that begins so. Ask again. */
const cutShort = /^(?:error: )?(?:interrupted|not started)/i;

/** What the newest look at the team means for a wait. */
export type WaitVerdict =
  | { readonly type: "satisfied" }
  | { readonly type: "failed"; readonly problem: string }
  | {
      readonly type: "ask";
      /** The input of the next `team_status`. */
      readonly input: { readonly since?: number };
      /** How often this wait has asked before. */
      readonly asked: number;
      /** Whether to pause before the next look: the last one did not wait, or showed nothing new. */
      readonly pauses: boolean;
    };

/** All that this wait has asked and been told, as the prompt shows it. Other looks at the team may be older than the wait. */
const looksOf = (prompt: Prompt, idStem: string): { asked: number; outputs: ToolOutput[] } => {
  let asked = 0;
  const outputs: ToolOutput[] = [];
  for (const { content } of prompt) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (part.type === "tool-call" && part.toolCallId.startsWith(idStem)) asked += 1;
      if (part.type === "tool-result" && part.toolCallId.startsWith(idStem)) outputs.push(part.output);
    }
  }
  return { asked, outputs };
};

const textOf = (output: ToolOutput): string => {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : "")).join("");
    case "execution-denied":
      return output.reason ?? "the call was denied";
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so no status: the text itself tells why.
    return undefined;
  }
};

const statusOf = (output: ToolOutput | undefined): Status | null =>
  output === undefined ? null : (Status.safeParse(parseJson(textOf(output))).data ?? null);

const named = (waitFor: ReadonlyMap<string, string>): string =>
  [...waitFor].map(([name, status]) => `${name} to be ${status}`).join(" and ");

const shown = (waitFor: ReadonlyMap<string, string>, status: Status): string =>
  [...waitFor.keys()].map((name) => `${name} is ${statusIn(status, name) ?? "no member"}`).join(", ");

/** Names are compared as they are printed: composed. */
const statusIn = (status: Status, name: string): string | undefined =>
  status.members.find((member) => member.name.normalize() === name.normalize())?.status;

/** Judges a `waitFor` by the results of its own `team_status` calls: those whose call ids begin with `idStem`. */
export const judgeWait = (waitFor: ReadonlyMap<string, string>, prompt: Prompt, idStem: string): WaitVerdict => {
  const { asked, outputs } = looksOf(prompt, idStem);
  const newest = outputs.at(-1);
  if (newest === undefined) return { type: "ask", input: {}, asked, pauses: false };
  const status = statusOf(newest);
  if (status === null) {
    const text = textOf(newest);
    if (cutShort.test(text)) return { type: "ask", input: {}, asked, pauses: true };
    return { type: "failed", problem: `waited for ${named(waitFor)}, but team_status answered: ${text}` };
  }
  if ([...waitFor].every(([name, awaited]) => statusIn(status, name) === awaited)) return { type: "satisfied" };
  if (endStates.has(status.state)) {
    const now = status.state === "none" ? "there is no team" : `the team is ${status.state}`;
    const problem = `waited for ${named(waitFor)}, but ${now}: ${shown(waitFor, status)}`;
    return { type: "failed", problem };
  }
  const since = status.version;
  const unchanged = since !== undefined && since === statusOf(outputs.at(-2))?.version;
  // A member's look answers at once, and moves the version by itself: without a pause it would go round for ever.
  const pauses = unchanged || (asked > 1 && status.waitedMs === undefined);
  return { type: "ask", input: since === undefined ? {} : { since }, asked, pauses };
};
