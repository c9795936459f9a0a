import type { StateDescription, TransitionDescription } from "./describe-machine.ts";

/** `entry / a, b`, or no line without actions. */
export const actionLine = (word: string, actions: readonly string[]): string[] =>
  actions.length === 0 ? [] : [escapeText(`${word} / ${actions.join(", ")}`)];

/** What follows an arrow that does actions only. */
export const labelled = (actions: readonly string[]): string =>
  actions.length === 0 ? "" : ` : ${escapeText(`/ ${actions.join(", ")}`)}`;

/** `event [guard] / actions`, as statecharts are labelled. */
export function labelOf({ event, guard, actions }: TransitionDescription): string {
  const parts = [eventText(event)];
  if (guard !== null) parts.push(`[${guard}]`);
  if (actions.length > 0) parts.push(`/ ${actions.join(", ")}`);
  return escapeText(parts.join(" "));
}

/** XState's own event names say where they come from; a reader wants to know what they mean. */
function eventText(event: string | null): string {
  if (event === null) return "always";
  const [, delay] = /^xstate\.after\.([^.]+)/.exec(event) ?? [];
  if (delay !== undefined) return /^\d+$/.test(delay) ? `after ${delay} ms` : `after ${delay}`;
  return event.replace(/^xstate\.(done|error)\.(?:state|actor)\./, "$1 ");
}

/** What Mermaid gives a meaning of its own stands as a character reference. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[^\p{L}\p{N} _.,/()[\]|&'!+*=→-]/gu, (char) => `#${char.codePointAt(0) ?? 0};`);

/** The name of the box in a composite state of this name. */
export const boxName = (name: string): string => `${name}_any`;

/** Words of Mermaid's grammar, which cannot name a state. */
const reserved = new Set(["state", "end", "note", "direction", "class", "classdef", "style", "scale", "as", "default"]);

/** A name per state id: the fewest last keys that no other state shares. */
export function shortNames(states: readonly StateDescription[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const suffix = (path: readonly string[], length: number): string => path.slice(-length).join("_");
  for (const { id, path } of states) {
    const full = path.length === 0 ? [id] : path;
    const isShared = (length: number): boolean =>
      states.some((other) => other.id !== id && suffix(other.path, length) === suffix(full, length));
    let length = 1;
    while (length < full.length && isShared(length)) length++;
    let name = suffix(full, length).replaceAll(/[^A-Za-z0-9_]/g, "_");
    if (reserved.has(name.toLowerCase()) || !/^[A-Za-z]/.test(name)) name = `s_${name}`;
    while (taken.has(name) || taken.has(boxName(name))) name += "_";
    taken.add(name).add(boxName(name));
    names.set(id, name);
  }
  return names;
}
