import type { AnyActorRef, AnyMachineSnapshot } from "xstate";

/** Whether this is an actor. */
export const isActor = (value: object): value is AnyActorRef =>
  "sessionId" in value && "send" in value && "getSnapshot" in value;

/** Actors that a snapshot has: invoked and spawned ones. */
export const actorsOf = (snapshot: AnyMachineSnapshot): readonly AnyActorRef[] =>
  // XState types children by their machine; a `src` that is not implemented leaves an undefined one.
  Object.values(snapshot.children as Record<string, AnyActorRef | undefined>).filter((child) => child !== undefined);

const sourceOf = ({ src }: AnyActorRef): string | null => (typeof src === "string" ? src : null);

/** The names that an actor can be meant by: its id, where somebody gave it one, and what it is made from. */
export function actorNames(actor: AnyActorRef): readonly string[] {
  // XState numbers actors without an id through the whole process, so that number says nothing.
  const id = actor.id === actor.sessionId ? null : actor.id;
  return [id, sourceOf(actor)].filter((name) => name !== null);
}

/** What tells an actor from the others of a state; those without an id are alike when they are made from the same. */
export const actorKey = (actor: AnyActorRef): string => actorNames(actor)[0] ?? "actor";

/** What an actor is called in texts: an id that XState made up from the place of an `invoke` says less than its `src`. */
export function actorLabel(actor: AnyActorRef): string {
  const source = sourceOf(actor);
  const isMadeUp = /^\d+\./.test(actor.id);
  return isMadeUp && source !== null && !source.startsWith("xstate.invoke.") ? source : actorKey(actor);
}

/** The name that an actor has in its system, or null. */
export const systemIdOf = (actor: AnyActorRef): string | null =>
  "systemId" in actor && typeof actor.systemId === "string" ? actor.systemId : null;
