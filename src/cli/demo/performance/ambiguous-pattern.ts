import { parsePattern, type CharSet, type Pattern } from "./pattern-syntax.ts";

/**
 * Whether matching can take time exponential in the length of the text.
 *
 * That is so when one loop can read the same text in two ways, as `(a+)+` can, and what comes after it can fail: then
 * all combinations are tried. The pattern is turned into an automaton whose states are its characters; two different
 * ways from a state back to itself over the same text show the ambiguity.
 */
export const isExponential = (source: string, flags: string): boolean => {
  if (!/[*+}]/.test(source)) return false;
  const parsed = parsePattern(source, flags);
  if (parsed === null) return false;
  return (
    isAmbiguous(parsed.pattern, parsed.hasAssertion) ||
    parsed.inner.some((inner) => isAmbiguous(inner, parsed.hasAssertion))
  );
};

/** Larger automata are left alone: the answer would take too long. */
const STATES_MAX = 250;
const STEPS_MAX = 300_000;

/** A finite repetition of so many turns is as slow as an endless one. */
const AS_GOOD_AS_ENDLESS = 16;

/** State numbers with how many ways lead to them. */
type Ways = Map<number, number>;

interface Part {
  readonly nullable: boolean;
  readonly first: Ways;
  readonly last: Ways;
}

interface Automaton {
  readonly chars: CharSet[];
  /** From each state, the states that may come next, with the number of ways. */
  readonly next: Ways[];
  readonly last: Ways;
}

class TooLarge extends Error {}

const EMPTY: Part = { nullable: true, first: new Map(), last: new Map() };

const joined = (...all: readonly Ways[]): Ways => {
  const sum: Ways = new Map();
  for (const ways of all) for (const [state, count] of ways) sum.set(state, (sum.get(state) ?? 0) + count);
  return sum;
};

const build = (pattern: Pattern): Automaton => {
  const chars: CharSet[] = [];
  const next: Ways[] = [];
  const connect = (from: Ways, to: Ways): void => {
    for (const [state, ways] of from) {
      for (const [target, count] of to) next[state]?.set(target, (next[state].get(target) ?? 0) + ways * count);
    }
  };
  const after = (left: Part, right: Part): Part => {
    connect(left.last, right.first);
    return {
      nullable: left.nullable && right.nullable,
      first: left.nullable ? joined(left.first, right.first) : left.first,
      last: right.nullable ? joined(left.last, right.last) : right.last,
    };
  };
  const looped = (part: Part): Part => {
    connect(part.last, part.first);
    return part;
  };
  const repeat = (item: Pattern, min: number, max: number): Part => {
    const isEndless = max >= AS_GOOD_AS_ENDLESS;
    const required = isEndless ? Math.min(Math.max(min, 1), 3) : min;
    let whole = EMPTY;
    for (let i = 1; i < required; i += 1) whole = after(whole, visit(item));
    if (isEndless) return optionalIf(min === 0, after(whole, looped(visit(item))));
    if (required > 0) whole = after(whole, visit(item));
    let tail = EMPTY;
    for (let i = min; i < max; i += 1) tail = optionalIf(true, after(visit(item), tail));
    return after(whole, tail);
  };
  const visit = (node: Pattern): Part => {
    switch (node.type) {
      case "empty":
        return EMPTY;
      case "set": {
        const state = chars.push(node.chars) - 1;
        if (state >= STATES_MAX) throw new TooLarge();
        next.push(new Map());
        return { nullable: false, first: new Map([[state, 1]]), last: new Map([[state, 1]]) };
      }
      case "sequence":
        return node.items.reduce((whole, item) => after(whole, visit(item)), EMPTY);
      case "choice": {
        const parts = node.items.map(visit);
        return {
          nullable: parts.some(({ nullable }) => nullable),
          first: joined(...parts.map(({ first }) => first)),
          last: joined(...parts.map(({ last }) => last)),
        };
      }
      case "repeat":
        return repeat(node.item, node.min, node.max);
    }
  };
  const { last } = visit(pattern);
  return { chars, next, last };
};

const optionalIf = (isOptional: boolean, part: Part): Part => (isOptional ? { ...part, nullable: true } : part);

/** The states reachable from a state. */
const reachable = (start: number, next: readonly Ways[]): Set<number> => {
  const found = new Set<number>();
  const open = [start];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const target of next[state]?.keys() ?? []) {
      if (found.has(target)) continue;
      found.add(target);
      open.push(target);
    }
  }
  return found;
};

/** The loops of an automaton: groups of states that all lead to each other. */
const loopsOf = ({ next }: Automaton): Set<number>[] => {
  const reach = next.map((_, state) => reachable(state, next));
  const loops = new Map<number, Set<number>>();
  reach.forEach((targets, state) => {
    if (!targets.has(state)) return;
    const members = new Set([...targets].filter((target) => reach[target]?.has(state)));
    loops.set(Math.min(...members), members);
  });
  return [...loops.values()];
};

/** Whether two different ways lead from `start` back to it over the same text, without leaving the loop. */
const hasTwoWays = (
  start: number,
  loop: ReadonlySet<number>,
  automaton: Automaton,
  budget: { steps: number },
): boolean => {
  const { chars, next } = automaton;
  const size = chars.length;
  const forward = new Map<number, number[]>();
  const open = [start * size + start];
  const seen = new Set(open);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const targets: number[] = [];
    for (const left of next[Math.floor(pair / size)]?.keys() ?? []) {
      if (!loop.has(left)) continue;
      for (const right of next[pair % size]?.keys() ?? []) {
        if ((budget.steps -= 1) < 0) throw new TooLarge();
        if (!loop.has(right) || ((chars[left] ?? 0n) & (chars[right] ?? 0n)) === 0n) continue;
        const target = left * size + right;
        targets.push(target);
        if (!seen.has(target)) {
          seen.add(target);
          open.push(target);
        }
      }
    }
    forward.set(pair, targets);
  }
  return leadsBack(start * size + start, forward, size);
};

/** Whether any pair of different states leads back to `goal`. */
const leadsBack = (goal: number, forward: ReadonlyMap<number, number[]>, size: number): boolean => {
  const backward = new Map<number, number[]>();
  for (const [from, targets] of forward) {
    for (const to of targets) backward.set(to, [...(backward.get(to) ?? []), from]);
  }
  const open = [goal];
  const seen = new Set(open);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (Math.floor(pair / size) !== pair % size) return true;
    for (const from of backward.get(pair) ?? []) {
      if (seen.has(from)) continue;
      seen.add(from);
      open.push(from);
    }
  }
  return false;
};

const isAmbiguous = (pattern: Pattern, hasAssertion: boolean): boolean => {
  try {
    const automaton = build(pattern);
    const budget = { steps: STEPS_MAX };
    return loopsOf(automaton).some((loop) => {
      // Where the match may end inside the loop, it ends there: nothing is left to fail.
      if (!hasAssertion && [...loop].some((state) => automaton.last.has(state))) return false;
      const isDouble = [...loop].some((state) => [...loop].some((to) => (automaton.next[state]?.get(to) ?? 0) > 1));
      return isDouble || [...loop].some((state) => hasTwoWays(state, loop, automaton, budget));
    });
  } catch (error) {
    if (error instanceof TooLarge) return false;
    throw error;
  }
};
