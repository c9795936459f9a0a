import { eventLines, type SessionState } from "teamchart/machines";
import type { EventLine } from "teamchart/protocol";
import type { Entry } from "../fold/entry.ts";

/** A line of the log: an input, or a post that followed from one. */
export interface LogLine {
  /** Place of its entry. */
  readonly index: number;
  readonly step: number;
}

/** What of the log is shown. */
export interface LogFilter {
  readonly text: string;
  /** Token of an actor, or null for all. */
  readonly token: string | null;
  readonly verdict: "all" | EventLine["verdict"] | "differs";
  readonly posts: boolean;
}

/** The lines that a filter lets pass. Each entry is looked at once: a log that grows costs what is new. */
export class LogLines {
  readonly #filter: LogFilter;
  readonly #wanted: string;
  readonly #lines: LogLine[] = [];
  #next = 0;

  constructor(filter: LogFilter) {
    this.#filter = filter;
    this.#wanted = filter.text.trim().toLowerCase();
  }

  /** Those among the first `length` entries, which are as many as before or more. Always the same list, grown. */
  upTo(entries: readonly Entry[], length: number): readonly LogLine[] {
    for (; this.#next < length; this.#next++) {
      const entry = entries[this.#next];
      if (entry !== undefined) this.#take(entry, this.#next);
    }
    return this.#lines;
  }

  #take({ difference, steps }: Entry, index: number): void {
    const { verdict, posts, token } = this.#filter;
    if (verdict === "differs" && difference === null) return;
    const last = posts ? steps.length : 1;
    for (let step = 0; step < last; step++) {
      const each = steps[step];
      if (each === undefined) continue;
      if (token !== null && each.actor !== token && each.from !== token) continue;
      if (verdict !== "all" && verdict !== "differs" && each.verdict !== verdict) continue;
      if (this.#wanted === "" || each.event.type.includes(this.#wanted)) this.#lines.push({ index, step });
    }
  }
}

/** What a line says, with names in place of tokens. */
export function lineOf(session: SessionState, entry: Entry, step: number): EventLine | undefined {
  const own = entry.steps[step];
  // One step at a time: an input may have thousands of posts.
  return own === undefined ? undefined : eventLines(session, { steps: [own] }, entry.record)[0];
}

/** Steering that says nothing to people: the step view has all of it. */
const hidden: ReadonlySet<string> = new Set(["type", "config", "run", "k", "id", "call", "plan", "byModel"]);

/** The data of an event in short. */
export function eventText(event: EventLine["event"]): string {
  const parts = Object.entries(event).flatMap(([key, value]) => {
    if (hidden.has(key) || value === undefined) return [];
    if (key === "usage" && isUsage(value)) return [`${value.input} + ${value.output} tokens`];
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${key} ${value.length}`];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (key === "reason" || key === "tool" || key === "verdict") return [text];
    return [`${key} ${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}`];
  });
  return parts.join(", ");
}

const isUsage = (value: unknown): value is { readonly input: number; readonly output: number } =>
  typeof value === "object" && value !== null && "input" in value && "output" in value;
