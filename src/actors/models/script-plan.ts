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
}

const exhausted = ({ actor, entries, position }: Position): ScriptError => {
  const whose = actor === "" ? "the script" : `the script of ${actor}`;
  const size = entries.length === 1 ? "1 entry" : `${entries.length} entries`;
  return new ScriptError(`${whose} is exhausted at call ${position + 1}: it has ${size}`, {
    actor,
    call: position + 1,
    position,
  });
};

/** What a call does at this position, judged by what its prompt shows. A satisfied wait gives way to the next entry. */
export const planCall = ({ actor, entries, position }: Position, prompt: Prompt): ScriptPlan => {
  for (let at = position; ; at += 1) {
    const entry = entries[at];
    if (entry === undefined) throw exhausted({ actor, entries, position: at });
    const stem = callIdStem(actor, at);
    if (!("waitFor" in entry)) {
      return { entry, idOf: (index) => `${stem}${index}`, outcome: { position: at + 1, waiting: false } };
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
