import type { MachineDescription, StateDescription, TransitionDescription } from "teamchart/machines";

/** A piece of text of a chart; it belongs to a transition, or to none. */
export interface Segment {
  readonly text: string;
  readonly transition: string | null;
}

/** A line of text of a chart. */
export type TextLine = readonly Segment[];

/** A state, as it is drawn. */
export interface ChartNode {
  readonly id: string;
  readonly parent: string | null;
  readonly title: string;
  readonly type: StateDescription["type"];
  /** Entry and exit actions, and transitions that stay where they are. */
  readonly lines: readonly TextLine[];
  readonly description: string | null;
  readonly initial: readonly string[];
}

/** All transitions from one state to another, as they are drawn: one line with as many lines of text as it takes. */
export interface ChartEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly transitions: readonly string[];
  readonly lines: readonly TextLine[];
}

/** A machine, as it is drawn: every state and every transition of its description. */
export interface ChartGraph {
  readonly machine: string;
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
}

const lineCharsMax = 30;

/** What is drawn of a machine. */
export function chartGraph(machine: MachineDescription): ChartGraph {
  const staying = Map.groupBy(
    machine.transitions.filter((each) => each.targets.length === 0),
    ({ source }) => source,
  );
  const going = machine.transitions.flatMap((transition) =>
    transition.targets.map((target) => ({ transition, target })),
  );
  const edges = [...Map.groupBy(going, ({ transition, target }) => `${transition.source} ${target}`)];
  return {
    machine: machine.id,
    nodes: machine.states.map((state) => nodeOf(state, staying.get(state.id) ?? [])),
    edges: edges.map(([id, each]) => ({
      id,
      // A group has at least the one that made it.
      source: each[0]?.transition.source ?? "",
      target: each[0]?.target ?? "",
      transitions: each.map(({ transition }) => transition.id),
      lines: labelOf(each.map(({ transition }) => transition)),
    })),
  };
}

function nodeOf(state: StateDescription, staying: readonly TransitionDescription[]): ChartNode {
  const actions = (word: string, names: readonly string[]): TextLine[] =>
    names.map((name) => [{ text: `${word} / ${name}`, transition: null }]);
  return {
    id: state.id,
    parent: state.parent,
    title: state.path.at(-1) ?? state.id,
    type: state.type,
    lines: [...actions("entry", state.entry), ...actions("exit", state.exit), ...labelOf(staying)],
    description: state.description,
    initial: state.initial,
  };
}

/** The text of transitions: those of one guard together, each event by its own. */
function labelOf(transitions: readonly TransitionDescription[]): TextLine[] {
  const byGuard = Map.groupBy(transitions, ({ guard }) => guard ?? "");
  return [...byGuard].flatMap(([guard, each]) => {
    const events = each.map(({ id, event }, index): Segment => {
      const comma = index < each.length - 1 ? "," : "";
      return { text: `${event ?? "always"}${comma}`, transition: id };
    });
    const guards =
      guard === "" ? [] : wrapText(`[${guard}]`).map((text): Segment => ({ text, transition: each[0]?.id ?? null }));
    return wrap([...events, ...guards]);
  });
}

/** Segments in lines of at most so many characters, with a space between two of a line. */
function wrap(segments: readonly Segment[]): TextLine[] {
  const lines: Segment[][] = [];
  let width = Infinity;
  for (const segment of segments) {
    const line = lines.at(-1);
    if (line === undefined || width + 1 + segment.text.length > lineCharsMax) {
      lines.push([segment]);
      width = segment.text.length;
    } else {
      line.push({ text: ` ${segment.text}`, transition: segment.transition });
      width += 1 + segment.text.length;
    }
  }
  return lines;
}

/** A long guard by its words. */
function wrapText(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > lineCharsMax) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** How many characters the longest of some lines has. */
export const widthOf = (lines: readonly TextLine[]): number =>
  Math.max(0, ...lines.map((line) => line.reduce((sum, { text }) => sum + text.length, 0)));
