import type { Mail } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";

/** Names from the user on, each told by the one before it. */
export type Chain = readonly string[];

/** Names of one chain that are kept: the first, and the latest. */
const namesMax = 8;
/** Chains of one actor that are kept: the latest. */
const chainsMax = 8;

const sameChain = (a: Chain, b: Chain): boolean => a.length === b.length && a.every((name, at) => name === b[at]);

/** A chain with one name more. Who stands in it already is not gone round to again. */
function extended(chain: Chain, name: string): Chain {
  const at = chain.indexOf(name);
  const next = at < 0 ? [...chain, name] : chain.slice(0, at + 1);
  return next.length <= namesMax ? next : [...next.slice(0, 1), ...next.slice(1 - namesMax)];
}

/** What a chain begins with for a member: its task. Without a lead the one who declares the team is the user. */
export const taskChain = (hasLead: boolean): Chain => (hasLead ? ["user", LEAD] : ["user"]);

/** Who told whom what: for each actor the ways on which something came to it. */
export class Origins {
  readonly #chains = new Map<string, readonly Chain[]>();

  /** The ways on which something came to an actor (token), the latest last; its task is not among them. */
  of(actor: string): readonly Chain[] {
    return this.#chains.get(actor) ?? [];
  }

  /** The way of each message that an actor is about to read; notices of the system tell nobody's wishes. */
  ofMail(
    mail: readonly Mail[],
    { tokenOf, task }: { readonly tokenOf: (name: string) => string; readonly task: Chain },
  ) {
    return mail
      .filter(({ kind }) => kind !== "system")
      .map(({ from }): Chain => {
        if (from === "user") return ["user"];
        const before = this.of(tokenOf(from)).at(-1) ?? (from === LEAD ? ["user"] : task);
        return extended(before, from);
      });
  }

  /** Takes in what an actor has read. */
  add(actor: string, chains: readonly Chain[]): void {
    if (chains.length === 0) return;
    let known = this.of(actor);
    for (const chain of chains) known = [...known.filter((each) => !sameChain(each, chain)), chain];
    this.#chains.set(actor, known.slice(-chainsMax));
  }

  toCheckpoint(): [string, string[][]][] {
    return [...this.#chains].map(([actor, chains]) => [actor, chains.map((chain) => [...chain])]);
  }

  forget(isGone: (actor: string) => boolean): void {
    for (const actor of this.#chains.keys()) if (isGone(actor)) this.#chains.delete(actor);
  }
}
