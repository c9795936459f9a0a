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

/** The lines that a filter lets pass, among the first `length` entries. */
export function filterLog(entries: readonly Entry[], length: number, filter: LogFilter): LogLine[] {
  const lines: LogLine[] = [];
  const wanted = filter.text.trim().toLowerCase();
  for (let index = 0; index < length; index++) {
    const entry = entries[index];
    if (entry === undefined || (filter.verdict === "differs" && entry.difference === null)) continue;
    const last = filter.posts ? entry.steps.length : 1;
    for (let step = 0; step < last; step++) {
      const each = entry.steps[step];
      if (each === undefined) continue;
      if (filter.token !== null && each.actor !== filter.token && each.from !== filter.token) continue;
      if (filter.verdict !== "all" && filter.verdict !== "differs" && each.verdict !== filter.verdict) continue;
      if (wanted !== "" && !each.event.type.includes(wanted)) continue;
      lines.push({ index, step });
    }
  }
  return lines;
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
