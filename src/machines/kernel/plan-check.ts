import { byteLength, collisionKey, normalizeName, refuseName } from "../../protocol/names.ts";
import { findAgentType } from "../../protocol/default-agent-type.ts";
import type { SessionConfig } from "../../protocol/session-config.ts";
import type { Faults } from "./faults.ts";

/** Checks that create and replan share. Faults are collected, so that one answer tells all of them. */

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
    for (const name of this.#exact.keys()) if (names.push(name) >= namesMax) break;
    return names;
  }
}

const namesMax = 1_000;

/** Members that one team of this session may have: what a model declares is held shorter than what the host does. */
export const membersMaxOf = ({ limits }: SessionConfig, byModel: boolean): number =>
  byModel ? Math.min(limits.modelMembersMax, limits.membersMax) : limits.membersMax;

/** Finds what is wrong with one declared member, its dependencies aside. */
export function checkMember(
  member: {
    readonly name: string;
    readonly agentType: string;
    readonly prompt: string;
    readonly description?: string | undefined;
    readonly requirePlan: boolean;
  },
  config: SessionConfig,
  faults: Faults,
): void {
  checkDescription(`the description of ${member.name.slice(0, 80)}`, member.description, config, faults);
  const types = config.agentTypes;
  const type = findAgentType(types, member.agentType);
  if (member.requirePlan && type?.kind === "function") {
    const problem = `${member.agentType} is a function, which submits no plan; leave it out, or take an agent with a model`;
    faults.add("bad_input", { what: `requirePlan of ${member.name.slice(0, 80)}`, problem });
  }
  if (type === undefined) {
    faults.unknownAgentType(
      member.name,
      member.agentType,
      types.map((each) => each.name),
    );
  }
  checkNameAndPrompt(member, config, faults);
}

/** Finds what is wrong with the name and the prompt of whoever is to be a member. */
export function checkNameAndPrompt(
  member: { readonly name: string; readonly prompt: string },
  config: SessionConfig,
  faults: Faults,
): void {
  const badName = refuseName(normalizeName(member.name), { reserved: true });
  if (badName !== null) faults.keep(badName);
  checkPrompt(member.name, member.prompt, config, faults);
}

/** Finds a prompt that is too long, of whoever is to begin with it. */
export function checkPrompt(name: string, prompt: string, { limits }: SessionConfig, faults: Faults): void {
  const { promptBytesMax } = limits;
  const bytes = bytesOver(prompt, promptBytesMax);
  if (bytes > 0) faults.add("prompt_too_large", { member: name, bytes, promptBytesMax });
}

/** Finds a description that is too long: every member reads that of its team and those of the others. */
export function checkDescription(
  what: string,
  description: string | undefined,
  { limits }: SessionConfig,
  faults: Faults,
): void {
  const bytesMax = limits.promptBytesMax;
  const bytes = bytesOver(description ?? "", bytesMax);
  if (bytes > 0) faults.add("payload_too_large", { what, bytes, bytesMax });
}

/** The bytes of a text that has more than `bytesMax`; 0 for any other. */
export function bytesOver(text: string, bytesMax: number): number {
  // A UTF-16 unit is at most three bytes: short texts need no encoding to be judged.
  const bytes = text.length * 3 <= bytesMax ? 0 : byteLength(text);
  return bytes > bytesMax ? bytes : 0;
}
