import type { SessionState } from "../../machines/index.ts";
import type { Symmetry } from "./symmetry.ts";

/** Another order of interchangeable members: whose data stands at the place of a member, by tokens. */
export type Order = (token: string) => string;

/** Up to so many orders are all looked at. */
const ordersMax = 24;

/**
 * The other orders of a session's members that symmetry takes for the one there is: all of them, or, where they are too many,
 * each two neighbours swapped and everybody turned round. A property that answers otherwise in one of them asks for the order.
 */
export class Orders {
  readonly #symmetry: Symmetry;
  readonly #known = new WeakMap<object, readonly Order[]>();

  constructor(symmetry: Symmetry) {
    this.#symmetry = symmetry;
  }

  of(session: SessionState): readonly Order[] {
    const layout = this.#symmetry.layoutOf(session);
    let orders = this.#known.get(layout);
    if (orders === undefined) {
      const tokens = session.team?.order ?? [];
      const classes = layout.classes.map((places) => places.map((place) => tokens[layout.order[place] ?? 0] ?? ""));
      this.#known.set(layout, (orders = ordersOf(classes)));
    }
    return orders;
  }
}

function ordersOf(classes: readonly (readonly string[])[]): Order[] {
  const count = classes.reduce((product, twins) => product * factorial(twins.length), 1);
  const all =
    count <= ordersMax ? product(classes.map(permutations)) : classes.flatMap((_, index) => few(classes, index));
  const own = classes.flat().join();
  return all.flatMap((order) => {
    if (order.flat().join() === own) return [];
    const at = new Map(
      order.flatMap((twins, index) => twins.map((token, place) => [classes[index]?.[place] ?? "", token])),
    );
    return (token: string): string => at.get(token) ?? token;
  });
}

const factorial = (count: number): number => (count <= 1 ? 1 : count * factorial(count - 1));

const permutations = (tokens: readonly string[]): string[][] =>
  tokens.length === 0
    ? [[]]
    : tokens.flatMap((token, at) => permutations(tokens.toSpliced(at, 1)).map((rest) => [token, ...rest]));

const product = (choices: readonly string[][][]): string[][][] =>
  choices.reduce<string[][][]>((made, lists) => made.flatMap((each) => lists.map((list) => [...each, list])), [[]]);

/** Orders in which one class alone stands otherwise. */
function few(classes: readonly (readonly string[])[], index: number): string[][][] {
  const own = classes[index] ?? [];
  const swapped = own.slice(1).map((token, at) => own.toSpliced(at, 2, token, own[at] ?? ""));
  return [...swapped, own.toReversed()].map((twins) => classes.map((each, at) => (at === index ? twins : [...each])));
}
