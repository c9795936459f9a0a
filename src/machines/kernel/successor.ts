import type { Draft } from "./draft.ts";
import { findMember } from "./roster.ts";

/**
 * Whoever has a member's place now, by any number of replans: nobody waits for who was replaced. `replaced` holds those whom
 * the plan at hand replaces, by token; the tokens that it adds are members only once it is carried out.
 */
export function successorOf(draft: Draft, token: string, replaced: ReadonlyMap<string, string> = new Map()): string {
  // A plan that is refused for it may say that two members replace each other: its other faults are still looked for.
  const seen = new Set([token]);
  for (let at = token; ; seen.add(at)) {
    const before = draft.member(at)?.replacedBy ?? null;
    const next = replaced.get(at) ?? (before === null ? undefined : findMember(draft, before)?.token);
    if (next === undefined || seen.has(next)) return at;
    at = next;
  }
}
