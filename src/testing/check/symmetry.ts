import type { SessionState } from "../../machines/index.ts";
import { Interner, ObjectNumbers } from "./interner.ts";

/** In which order a state's members stand in its key. */
export interface Layout {
  /** The graph, with members by their places in this order, as a number. */
  readonly graph: number;
  /** Places in the team's order. */
  readonly order: readonly number[];
  /** Where interchangeable members stand in `order`, per class of at least two. */
  readonly classes: readonly (readonly number[])[];
}

/**
 * Which members are interchangeable: the same upstreams, downstreams, lifetime and agent type. A state and the one with two
 * of them swapped are the same state.
 *
 * What counts is the graph as it is: sorting by the declared one after a replan has changed it would take states for each
 * other that are not the same. Members are ordered by their part in the graph, so a graph looks the same whoever was replaced.
 */
export class Symmetry {
  readonly #isOn: boolean;
  readonly #texts = new Interner();
  /** A replan replaces the lists that it changes. */
  readonly #lists = new ObjectNumbers<readonly string[]>((tokens) => this.#texts.number(tokens.join()));
  readonly #layouts = new Map<string, Layout>();
  /** The graph that was looked at last, by its lists: nearly every step leaves it as it is. */
  #last: { readonly order: readonly string[]; readonly lists: readonly unknown[]; readonly layout: Layout } | null =
    null;

  /** `isOn: false` keeps all members apart. */
  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /** The layout of a state; the same for every state with this graph. */
  layoutOf(session: SessionState): Layout {
    const order = session.team?.order ?? none;
    if (this.#last?.order === order && this.#isLast(session, this.#last.lists)) return this.#last.layout;
    let graph = `${this.#lists.number(order)}`;
    for (const token of order) {
      const member = session.members.get(token);
      if (member !== undefined) graph += `,${this.#lists.number(member.dependsOn)}`;
    }
    let layout = this.#layouts.get(graph);
    if (layout === undefined) this.#layouts.set(graph, (layout = this.#workOut(session, order)));
    this.#last = { order, lists: order.map((token) => session.members.get(token)?.dependsOn), layout };
    return layout;
  }

  /** Whether members of the same order have the very lists of upstreams that were looked at last. */
  #isLast(session: SessionState, lists: readonly unknown[]): boolean {
    const order = session.team?.order ?? none;
    for (let index = 0; index < order.length; index++)
      if (session.members.get(order[index] ?? "")?.dependsOn !== lists[index]) return false;
    return true;
  }

  #workOut(session: SessionState, tokens: readonly string[]): Layout {
    const nodes = tokens.map((token) => nodeOf(session, tokens, token));
    const ranks = this.#isOn ? ranksOf(nodes) : nodes.map((_, place) => place);
    const order = nodes.map((_, place) => place).toSorted((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
    const upstreams = order.map((place) =>
      (nodes[place]?.upstreams ?? []).map((up) => order.indexOf(up)).toSorted(ascending),
    );
    // Who is not interchangeable has a name, which plans of the user's own may give as they like.
    const graph = this.#texts.number(`g${JSON.stringify(this.#isOn ? upstreams : [upstreams, tokens])}`);
    return { graph, order, classes: this.#isOn ? twinsOf(nodes, order) : [] };
  }
}

const none: readonly string[] = [];

interface Node {
  readonly kind: string;
  readonly upstreams: readonly number[];
  readonly downstreams: readonly number[];
}

const ascending = (a: number, b: number): number => a - b;

function nodeOf(session: SessionState, tokens: readonly string[], token: string): Node {
  const member = session.members.get(token);
  if (member === undefined) return { kind: "", upstreams: [], downstreams: [] };
  const { lifetime, agentType, dependsOn, downstream, snapshot } = member;
  const places = (list: readonly string[]): number[] => list.map((each) => tokens.indexOf(each)).toSorted(ascending);
  const kind = JSON.stringify([lifetime, agentType, snapshot.context.requirePlan]);
  return { kind, upstreams: places(dependsOn), downstreams: places(downstream) };
}

/** Where each node belongs, by its kind and those of its neighbours, near and far: the same for equal parts in a graph. */
function ranksOf(nodes: readonly Node[]): number[] {
  let ranks = rank(nodes.map(({ kind }) => kind));
  // Once for each node: farther than that no path leads.
  for (const _ of nodes) {
    const near = (places: readonly number[]): number[] => places.map((place) => ranks[place] ?? 0).toSorted(ascending);
    const texts = nodes.map(({ upstreams, downstreams }, place) =>
      JSON.stringify([ranks[place], near(upstreams), near(downstreams)]),
    );
    ranks = rank(texts);
  }
  return ranks;
}

function rank(texts: readonly string[]): number[] {
  const sorted = [...new Set(texts)].toSorted();
  return texts.map((text) => sorted.indexOf(text));
}

/** Nodes with the very same neighbours. */
function twinsOf(nodes: readonly Node[], order: readonly number[]): readonly (readonly number[])[] {
  const classes = new Map<string, number[]>();
  for (const [index, place] of order.entries()) {
    const key = JSON.stringify(nodes[place]);
    classes.set(key, [...(classes.get(key) ?? []), index]);
  }
  return [...classes.values()].filter((places) => places.length > 1);
}
