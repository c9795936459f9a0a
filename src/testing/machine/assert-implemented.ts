import type { AnyStateMachine } from "xstate";
import { stateNodesOf, transitionsFrom } from "../../machines/state-nodes.ts";
import { badInput, isFields } from "../fields.ts";

/** Something that a machine names and that is not there, and how it is given. */
interface Missing {
  readonly text: string;
  readonly given: string;
}

/**
 * Refuses a machine that names guards, actors or delays which nobody has given: what it does then is nothing that it would
 * do in production, and every finding that followed would be about that. Actions are not run, so theirs need not be there.
 */
export function assertImplemented(machine: AnyStateMachine): void {
  const [first] = missingIn(machine);
  if (first === undefined) return;
  const { text, given } = first;
  throw badInput(
    "machine",
    `${text} has no implementation; give it by setup({ ${given} }) or machine.provide({ ${given} })`,
  );
}

function* missingIn(machine: AnyStateMachine): Generator<Missing> {
  const { guards, actors, delays } = machine.implementations;
  for (const { id, node } of stateNodesOf(machine).flatMap(transitionsFrom))
    for (const name of guardNames(node.guard))
      if (!(name in guards)) yield { text: `the guard "${name}" of ${id}`, given: `guards: { ${name} }` };
  for (const { id, invoke } of stateNodesOf(machine))
    for (const { src } of invoke)
      // What stands in the machine itself XState calls by a name of its own.
      if (typeof src === "string" && !src.startsWith("xstate.invoke.") && !(src in actors))
        yield { text: `the actor "${src}" that ${id} invokes`, given: `actors: { ${src} }` };
  for (const [name, at] of delayNames(machine))
    if (!(name in delays)) yield { text: `the delay "${name}" of ${at}`, given: `delays: { ${name} }` };
}

/** Names in a guard, and in those that it is made of (`and`, `or`, `not`). */
function guardNames(guard: unknown): readonly string[] {
  if (typeof guard === "string") return [guard];
  if (typeof guard === "function") {
    const parts: unknown = "guards" in guard ? guard.guards : [];
    return Array.isArray(parts) ? parts.flatMap(guardNames) : [];
  }
  return isFields(guard) && typeof guard["type"] === "string" ? [guard["type"]] : [];
}

/** Delays that are given by name, each with its state. What is no number is a name. */
function delayNames(machine: AnyStateMachine): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const visit = (config: Config, id: string): void => {
    for (const delay of Object.keys(config.after ?? {})) if (Number.isNaN(Number(delay))) found.push([delay, id]);
    for (const [key, state] of Object.entries(config.states ?? {})) visit(state, `${id}.${key}`);
  };
  visit(machine.config, machine.id);
  return found;
}

/** What of a state's config delays stand in. */
interface Config {
  readonly after?: object | undefined;
  readonly states?: Readonly<Record<string, Config>> | undefined;
}
