import { displayName, type SessionState } from "teamchart/machines";
import type { Entry } from "./entry.ts";

/** One value that a step changed. */
export interface Change {
  readonly path: string;
  /** Undefined = it was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What a step changed of one actor. */
export interface ActorDiff {
  readonly token: string;
  readonly name: string;
  readonly changes: readonly Change[];
}

/** What an input and its posts changed, actor by actor. */
export function stepDiff(before: SessionState, after: SessionState, { steps, record }: Entry): readonly ActorDiff[] {
  const tokens = new Set([record.input.actor, ...steps.map(({ actor }) => actor), "session"]);
  return [...tokens].flatMap((token) => {
    const changes = differences(dataOf(before, token), dataOf(after, token));
    const name = displayName(after, (each) => after.members.get(each) ?? before.members.get(each), token);
    return changes.length === 0 ? [] : [{ token, name, changes }];
  });
}

const bare = ({ value, context }: { readonly value: unknown; readonly context: unknown }) => ({
  state: value,
  context,
});

/** All that the kernel has of an actor, as plain data; undefined when there is no such actor. */
function dataOf(session: SessionState, token: string): unknown {
  if (token === "session") {
    const { snapshot, epoch, revision, polls, requests, mail, config } = session;
    return { ...bare(snapshot), epoch, revision, polls, requests, mail, config };
  }
  if (token === "lead") {
    const { snapshot, ...lead } = session.lead;
    return { ...bare(snapshot), ...lead };
  }
  if (session.team?.token === token) {
    const { snapshot, graph: _graph, byKey: _byKey, order, ...team } = session.team;
    return { ...bare(snapshot), ...team, members: order.length };
  }
  const member = session.members.get(token);
  if (member === undefined) return undefined;
  const { snapshot, ...data } = member;
  return { ...bare(snapshot), ...data, unmet: session.unmet[member.index] ?? 0 };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The values in which two differ, by their paths. Lists are compared as a whole. */
export function differences(before: unknown, after: unknown, path = ""): Change[] {
  if (Object.is(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      differences(own(before, key), own(after, key), path === "" ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, before, after }];
}

const own = (value: Fields, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
