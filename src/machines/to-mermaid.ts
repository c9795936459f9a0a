import type { MachineDescription, StateDescription } from "./describe-machine.ts";
import { actionLine, boxName, escapeText, labelled, labelOf, shortNames } from "./mermaid-text.ts";

/**
 * Draws a machine as a Mermaid `stateDiagram-v2`: for a page of documentation, and readable as it is in a terminal.
 *
 * Not every Mermaid can draw an arrow between a state and one inside it. So a composite state holds a box "in any state",
 * from which its own transitions go; what stays where it is, or re-enters a state around it, is a line of text there.
 */
export function toMermaid(machine: MachineDescription): string {
  const chart = chartOf(machine);
  const [root] = machine.states;
  if (root === undefined) return "stateDiagram-v2\n";
  const body = root.type === "parallel" ? drawState(chart, root) : drawInside(chart, root);
  const arrows = machine.states.flatMap((state) => chart.linesOf(state).arrows);
  return ["stateDiagram-v2", ...indent([...body, ...arrows]), ""].join("\n");
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** What is looked up while drawing. */
interface Chart {
  readonly nameOf: (id: string) => string;
  readonly childrenOf: (state: StateDescription) => readonly StateDescription[];
  /** The name of what a state's own transitions leave from: itself, or the box in it. */
  readonly boxOf: (state: StateDescription) => string;
  readonly linesOf: (state: StateDescription) => Lines;
}

/** The transitions of one state: those drawn as arrows, and those written into it. */
interface Lines {
  readonly arrows: readonly string[];
  readonly texts: readonly string[];
}

function chartOf(machine: MachineDescription): Chart {
  const names = shortNames(machine.states);
  const parents = new Map(machine.states.map(({ id, parent }) => [id, parent]));
  const below = groupBy(machine.states, ({ parent }) => parent ?? "");
  const from = groupBy(machine.transitions, ({ source }) => source);
  const childrenOf = ({ id }: StateDescription): readonly StateDescription[] => below.get(id) ?? [];
  const nameOf = (id: string): string => names.get(id) ?? escapeText(id);
  const boxOf = (state: StateDescription): string =>
    childrenOf(state).length > 0 ? boxName(nameOf(state.id)) : nameOf(state.id);
  const isAround = (outer: string, inner: string): boolean => {
    const parent = parents.get(inner) ?? null;
    return outer === inner || (parent !== null && isAround(outer, parent));
  };

  const linesOf = (state: StateDescription): Lines => {
    const [arrows, texts]: [string[], string[]] = [[], []];
    for (const transition of from.get(state.id) ?? []) {
      const label = labelOf(transition);
      if (transition.targets.length === 0) texts.push(`${boxOf(state)} : ${label}`);
      for (const target of transition.targets) {
        const isLoop = target === state.id && childrenOf(state).length === 0;
        if (isLoop || !isAround(target, state.id)) arrows.push(`${boxOf(state)} --> ${nameOf(target)} : ${label}`);
        else texts.push(`${boxOf(state)} : ${label} → ${escapeText(target)}`);
      }
    }
    return { arrows, texts };
  };
  return { nameOf, childrenOf, boxOf, linesOf };
}

function drawState(chart: Chart, state: StateDescription): string[] {
  const name = chart.nameOf(state.id);
  const key = escapeText(state.path.at(-1) ?? state.id);
  const label = state.history === null ? key : `${key} (${state.history} history)`;
  const named = label === name ? name : `"${label}" as ${name}`;
  if (chart.childrenOf(state).length > 0) {
    return [`state ${named} {`, ...indent(drawInside(chart, state)), "}"];
  }
  const ends = state.type === "final" ? [`${name} --> [*]`] : [];
  return [label === name ? name : `state ${named}`, ...textsOf(chart, state), ...ends];
}

/** What stands within a composite state; regions of a parallel one are divided by a line. */
function drawInside(chart: Chart, state: StateDescription): string[] {
  const starts = state.initial.map((id) => `[*] --> ${chart.nameOf(id)}${labelled(state.initialActions)}`);
  const parts = chart.childrenOf(state).map((child) => drawState(chart, child));
  const box = drawBox(chart, state);
  if (state.type !== "parallel") return [...starts, ...box, ...parts.flat()];
  const regions = box.length > 0 ? [box, ...parts] : parts;
  return regions.flatMap((lines, index) => (index === 0 ? lines : ["--", ...lines]));
}

/** The box of a composite state, unless nothing leaves from it and nothing stands in it. */
function drawBox(chart: Chart, state: StateDescription): string[] {
  const texts = textsOf(chart, state);
  if (texts.length === 0 && chart.linesOf(state).arrows.length === 0) return [];
  const key = state.path.at(-1);
  const label = key === undefined ? "in any state" : `in any state of ${escapeText(key)}`;
  return [`state "${label}" as ${chart.boxOf(state)}`, ...texts];
}

function textsOf(chart: Chart, state: StateDescription): string[] {
  const lines = [
    ...(state.description === null ? [] : [escapeText(state.description)]),
    ...actionLine("entry", state.entry),
    ...actionLine("exit", state.exit),
    ...actionLine("invoke", state.invokes),
  ];
  return [...lines.map((text) => `${chart.boxOf(state)} : ${text}`), ...chart.linesOf(state).texts];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
