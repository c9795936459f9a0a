import type { ScriptEntry } from "../../protocol/script.ts";
import type { Prompt } from "./language-model-v4.ts";
import { callIdStem, type ScriptOutcome } from "./script-call.ts";
import { ScriptError } from "./script-error.ts";
import { judgeWait } from "./script-wait.ts";

/** How long a wait pauses when a look showed nothing new: a tool that doesn't hold the call must not make it a busy loop. */
const pauseMs = 50;
/** The pause grows with each look up to this, so that a wait of hours stays a short conversation. */
const pauseMaxMs = 1_000;

/** An entry that is played as it stands; waits are turned into calls of `team_status`. */
export type PlayedEntry = Exclude<ScriptEntry, { waitFor: unknown }>;

/** What one model call does. */
export interface ScriptPlan {
  readonly entry: PlayedEntry;
  /** The ids of its tool calls: this and a number. */
  readonly idOf: (index: number) => string;
  readonly outcome: ScriptOutcome;
}

interface Position {
  readonly actor: string;
  readonly entries: readonly ScriptEntry[];
  readonly position: number;
  /** Whether the call is for the summary of a conversation that is too long. */
  readonly compacts?: boolean;
}

/** An entry for a summary and a call for one go together, and neither goes with another. */
function checkCompact({ actor, position, compacts = false }: Position, entry: PlayedEntry): void {
  const fits = "compact" in entry ? compacts : !compacts || "error" in entry || "hang" in entry;
  if (fits) return;
  const problem = compacts
    ? "the conversation is too long and is to be summed up, and the entry is none with `compact`"
    : "the entry is one with `compact`, and the conversation is not to be summed up here";
  throw new ScriptError(`${actor === "" ? "the script" : `the script of ${actor}`}, call ${position + 1}: ${problem}`, {
    actor,
    call: position + 1,
    position: position + 1,
  });
}

/** Characters of a tool's error that are quoted. */
const quotedMax = 200;

/** A refusal reaches the model as a text that begins with its code. */
const refused = /^[A-Z][A-Z_]+: .* Do: /s;

/** The last error or refusal that a tool answered with, for whoever wonders why the script went another way than it was written. */
const lastToolError = (prompt: Prompt): string => {
  for (const { role, content } of prompt.toReversed()) {
    if (role !== "tool") continue;
    for (const part of content.toReversed()) {
      if (part.type !== "tool-result") continue;
      const { output } = part;
      if (output.type !== "error-text" && (output.type !== "text" || !refused.test(output.value))) continue;
      const [line = ""] = output.value.split("\n", 1);
      return `; the last error of a tool was ${part.toolName}: ${line.slice(0, quotedMax)}`;
    }
  }
  return "";
};

const exhausted = ({ actor, entries, position }: Position, prompt: Prompt): ScriptError => {
  const whose = actor === "" ? "the script" : `the script of ${actor}`;
  const size = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
  return new ScriptError(`${whose} is exhausted at call ${position + 1}: it has ${size}${lastToolError(prompt)}`, {
    actor,
    call: position + 1,
    position,
  });
};

/** What a call does at this position, judged by what its prompt shows. A satisfied wait gives way to the next entry. */
export const planCall = ({ actor, entries, position, compacts = false }: Position, prompt: Prompt): ScriptPlan => {
  for (let at = position; ; at += 1) {
    const entry = entries[at];
    if (entry === undefined) throw exhausted({ actor, entries, position: at }, prompt);
    const stem = callIdStem(actor, at);
    if (!("waitFor" in entry)) {
      checkCompact({ actor, entries, position: at, compacts }, entry);
      return { entry, idOf: (index) => `${stem}${index}`, outcome: { position: at + 1, waiting: false } };
    }
    if (compacts) {
      const summary = { compact: `It waits: ${JSON.stringify(Object.fromEntries(entry.waitFor))}` };
      return { entry: summary, idOf: (index) => `${stem}${index}`, outcome: { position: at, waiting: true } };
    }
    const verdict = judgeWait(entry.waitFor, prompt, stem);
    if (verdict.type === "failed") throw new ScriptError(verdict.problem, { actor, call: at + 1, position: at + 1 });
    if (verdict.type === "ask") {
      const look: PlayedEntry = { calls: [{ tool: "team_status", input: verdict.input }] };
      return {
        entry: verdict.pauses
          ? { ...look, delayMs: Math.min(pauseMaxMs, pauseMs * Math.max(1, verdict.asked - 1)) }
          : look,
        idOf: () => `${stem}${verdict.asked}`,
        outcome: { position: at, waiting: true },
      };
    }
  }
};
