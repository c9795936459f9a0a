import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import { widthOf, type ChartEdge, type ChartGraph, type ChartNode, type TextLine } from "./chart-graph.ts";

/** Sizes that the layout and the drawing share, in px. The font is fixed, so that a width follows from a length. */
export const sizes = { char: 6.05, line: 13, title: 22, pad: 10, dot: 9 } as const;

/** A box with its place. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A drawn transition with its way and where its text stands. */
export interface PlacedEdge {
  readonly edge: ChartEdge | null;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly label: Box | null;
}

/** A chart with places, in px from its left upper corner. */
export interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly node: ChartNode; readonly box: Box }[];
  /** Where each state's initial one is entered. */
  readonly dots: readonly Box[];
  readonly edges: readonly PlacedEdge[];
}

const common = {
  "elk.algorithm": "layered",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.json.edgeCoords": "ROOT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "26",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.spacing.nodeNode": "22",
  "elk.spacing.edgeEdge": "9",
  "elk.spacing.edgeNode": "12",
  "elk.spacing.edgeLabel": "3",
  "elk.layered.edgeLabels.sideSelection": "SMART_DOWN",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
} as const;

const height = (lines: readonly TextLine[]): number => lines.length * sizes.line;

/**
 * The graph that ELK lays out. Its regions lie below each other in a parallel machine, each from left to right; any other
 * machine goes downwards.
 */
export function elkGraph(graph: ChartGraph): ElkNode {
  const direction = graph.nodes[0]?.type === "parallel" ? "RIGHT" : "DOWN";
  const options = { ...common, "elk.direction": direction };
  const childrenOf = Map.groupBy(graph.nodes, ({ parent }) => parent);
  const build = (node: ChartNode): ElkNode => {
    const children = childrenOf.get(node.id) ?? [];
    const text = sizes.title + height(node.lines);
    const width = Math.max((node.title.length + 2) * 7.2, widthOf(node.lines) * sizes.char) + sizes.pad * 2;
    if (children.length === 0) return { id: node.id, width, height: text + (node.lines.length > 0 ? 6 : 4) };
    const dots = node.type === "compound" ? node.initial.map((id) => dotOf(node.id, id)) : [];
    return {
      id: node.id,
      children: [...dots, ...children.map(build)],
      layoutOptions: {
        ...options,
        "elk.padding": `[top=${text + 12},left=14,bottom=14,right=14]`,
        "elk.nodeSize.constraints": "MINIMUM_SIZE",
        "elk.nodeSize.minimum": `(${width}, ${text})`,
      },
    };
  };
  const roots = (childrenOf.get(null) ?? []).map(build);
  const initial = graph.nodes
    .filter(({ type }) => type === "compound")
    .flatMap((node) =>
      node.initial.map((id): ElkExtendedEdge => ({
        id: `initial ${node.id} ${id}`,
        sources: [dotId(node.id, id)],
        targets: [id],
      })),
    );
  return { id: "chart", layoutOptions: options, children: roots, edges: [...initial, ...graph.edges.map(elkEdge)] };
}

const dotId = (parent: string, initial: string): string => `dot ${parent} ${initial}`;
const dotOf = (parent: string, initial: string): ElkNode => ({
  id: dotId(parent, initial),
  width: sizes.dot,
  height: sizes.dot,
});

const elkEdge = ({ id, source, target, lines }: ChartEdge): ElkExtendedEdge => ({
  id,
  sources: [source],
  targets: [target],
  labels: [{ id: `label ${id}`, text: " ", width: widthOf(lines) * sizes.char + 6, height: height(lines) + 2 }],
});

/** The places that ELK gave, joined with what is drawn there. */
export function placedChart(graph: ChartGraph, laidOut: ElkNode): ChartLayout {
  const boxes = new Map<string, Box>();
  const visit = (node: ElkNode, x: number, y: number): void => {
    for (const child of node.children ?? []) {
      const box = { x: x + (child.x ?? 0), y: y + (child.y ?? 0), width: child.width ?? 0, height: child.height ?? 0 };
      boxes.set(child.id, box);
      visit(child, box.x, box.y);
    }
  };
  visit(laidOut, 0, 0);
  const edges = new Map(graph.edges.map((edge) => [edge.id, edge]));
  return {
    width: laidOut.width ?? 0,
    height: laidOut.height ?? 0,
    nodes: graph.nodes.flatMap((node) => {
      const box = boxes.get(node.id);
      return box === undefined ? [] : [{ node, box }];
    }),
    dots: [...boxes].flatMap(([id, box]) => (id.startsWith("dot ") ? [box] : [])),
    edges: (laidOut.edges ?? []).map((each) => placedEdge(each, edges.get(each.id) ?? null)),
  };
}

function placedEdge({ sections, labels }: ElkExtendedEdge, edge: ChartEdge | null): PlacedEdge {
  const points = (sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) => [
    startPoint,
    ...(bendPoints ?? []),
    endPoint,
  ]);
  const label = labels?.[0];
  const box =
    label === undefined
      ? null
      : { x: label.x ?? 0, y: label.y ?? 0, width: label.width ?? 0, height: label.height ?? 0 };
  return { edge, points, label: edge === null ? null : box };
}
