import { refusal, type Refusal } from "../../errors/index.ts";
import { byteLength, collisionKey, nearestName, normalizeName, refuseName } from "../../protocol/names.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";

/** Checks that create and replan share. Every fault is collected, so that one answer tells all of them. */

/** Names a plan may use: what each one means as an index or token. */
export class NameTable<Id> {
  readonly #exact = new Map<string, Id>();
  readonly #byKey = new Map<string, { id: Id; name: string }>();

  /** Adds a name; returns the name that it collides with, or null. */
  add(name: string, id: Id, key: string = collisionKey(name)): string | null {
    const other = this.#byKey.get(key);
    if (other !== undefined) return other.name;
    this.#byKey.set(key, { id, name });
    this.#exact.set(name, id);
    return null;
  }

  get(name: string): Id | undefined {
    return this.#exact.get(name) ?? this.#byKey.get(collisionKey(normalizeName(name)))?.id;
  }

  /** The names added first, as many as an error needs. */
  names(): string[] {
    const names: string[] = [];
    for (const name of this.#exact.keys()) if (names.push(name) >= comparedMax) break;
    return names;
  }
}

/** How many names an error lists. */
const listedMax = 50;
/** How many names are compared for the nearest one. */
const comparedMax = 1_000;
/** Faults of one plan that are reported; more would help nobody. */
export const problemsMax = 100;

/** What is wrong with one declared member, its dependencies aside. */
export function checkMember(
  member: { readonly name: string; readonly agentType: string; readonly prompt: string },
  config: SessionConfig,
): Refusal[] {
  const problems: Refusal[] = [];
  const badName = refuseName(normalizeName(member.name), { reserved: true });
  if (badName !== null) problems.push(badName);
  const types = config.agentTypes;
  if (!types.some((type) => type.name === member.agentType)) {
    const known = types.map((type) => type.name);
    problems.push(
      refusal("unknown_agent_type", {
        member: member.name,
        agentType: member.agentType.slice(0, 80),
        known: known.slice(0, listedMax),
        nearest: nearestName(member.agentType, known.slice(0, comparedMax)),
      }),
    );
  }
  const { promptBytesMax } = config.limits;
  // A UTF-16 unit is at most three bytes: short prompts need no encoding to be judged.
  const bytes = member.prompt.length * 3 <= promptBytesMax ? 0 : byteLength(member.prompt);
  if (bytes > promptBytesMax) {
    problems.push(refusal("prompt_too_large", { member: member.name, bytes, promptBytesMax }));
  }
  return problems;
}

/** The refusal for a dependency that is nobody. */
export const unknownDependency = (member: string, dependency: string, known: readonly string[]): Refusal =>
  refusal("unknown_dependency", {
    member,
    dependency: dependency.slice(0, 80),
    known: known.slice(0, listedMax),
    nearest: nearestName(dependency, known.slice(0, comparedMax)),
  });

/** The refusal for a member that a replan names and that is nobody. */
export const unknownMember = (name: string, known: readonly string[]): Refusal =>
  refusal("unknown_member", {
    name: name.slice(0, 80),
    known: known.slice(0, listedMax),
    nearest: nearestName(name, known.slice(0, comparedMax)),
  });
