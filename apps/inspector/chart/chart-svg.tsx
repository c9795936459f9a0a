import { memo } from "react";
import type { PossibleTransition } from "teamchart/machines";
import type { Size, Viewport } from "../parts/pan-zoom.ts";
import type { ChartNode, TextLine } from "./chart-graph.ts";
import { sizes, type Box, type ChartLayout, type PlacedEdge } from "./elk-graph.ts";

/** How an actor stands in its chart. */
export interface ChartState {
  /** Ids of the active states. */
  readonly active: ReadonlySet<string>;
  /** Transitions that leave from active states, by their ids. */
  readonly possible: ReadonlyMap<string, PossibleTransition>;
  /** Ids of the transitions that were taken last. */
  readonly taken: ReadonlySet<string>;
}

/** Draws a chart with its state. */
export function ChartSvg({
  layout,
  state,
  viewport,
  size,
}: {
  readonly layout: ChartLayout;
  readonly state: ChartState;
  readonly viewport: Viewport;
  readonly size: Size;
}) {
  const { x, y, scale } = viewport;
  return (
    <svg
      className="chart"
      width={size.width}
      height={size.height}
      viewBox={`${x} ${y} ${size.width / scale} ${size.height / scale}`}
    >
      <defs>
        {["plain", "open", "taken"].map((kind) => (
          <marker
            key={kind}
            id={`arrow-${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 .8 7.4 4 0 7.2z" className={`arrow arrow-${kind}`} />
          </marker>
        ))}
      </defs>
      {layout.nodes.map(({ node, box }) => (
        <State key={node.id} node={node} box={box} state={state} />
      ))}
      {layout.dots.map((box) => (
        <circle
          key={`${box.x} ${box.y}`}
          className="chart-dot"
          cx={box.x + sizes.dot / 2}
          cy={box.y + sizes.dot / 2}
          r={sizes.dot / 2}
        />
      ))}
      {layout.edges.map((edge, index) => (
        <Edge key={edge.edge?.id ?? `initial ${index}`} placed={edge} state={state} />
      ))}
      {layout.edges.map((placed) => (
        <Label key={placed.edge?.id ?? JSON.stringify(placed.points[0])} placed={placed} state={state} />
      ))}
    </svg>
  );
}

const State = memo(function State({
  node,
  box,
  state,
}: {
  readonly node: ChartNode;
  readonly box: Box;
  readonly state: ChartState;
}) {
  const isActive = state.active.has(node.id);
  const kind = node.parent === null ? "root" : node.type;
  return (
    <g className={`chart-state chart-${kind}${isActive ? " active" : ""}`} data-state={node.id}>
      {node.description !== null && <title>{node.description}</title>}
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="7" />
      {node.type === "final" && (
        <rect x={box.x + 3} y={box.y + 3} width={box.width - 6} height={box.height - 6} rx="5" />
      )}
      <text className="chart-title" x={box.x + sizes.pad} y={box.y + 15}>
        {node.title}
      </text>
      <Lines lines={node.lines} x={box.x + sizes.pad} y={box.y + sizes.title} state={state} />
    </g>
  );
});

/** How a transition is drawn: taken last, possible, dependent on the event, shut, or of a state that is not active. */
function kindOf({ possible, taken }: ChartState, transition: string | null): string {
  if (transition === null) return "fixed";
  if (taken.has(transition)) return "taken";
  const each = possible.get(transition);
  if (each === undefined) return "idle";
  return each.holds === null ? "depends" : each.holds ? "open" : "shut";
}

function Edge({ placed, state }: { readonly placed: PlacedEdge; readonly state: ChartState }) {
  const kinds = new Set((placed.edge?.transitions ?? []).map((id) => kindOf(state, id)));
  const kind = kinds.has("taken") ? "taken" : kinds.has("open") || kinds.has("depends") ? "open" : "plain";
  return <path className={`chart-edge ${kind}`} d={pathOf(placed.points)} markerEnd={`url(#arrow-${kind})`} />;
}

const radius = 5;

/** A way with its corners rounded. */
function pathOf(points: PlacedEdge["points"]): string {
  const parts = points.map((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (before === undefined) return `M${point.x} ${point.y}`;
    if (after === undefined) return `L${point.x} ${point.y}`;
    const near = (other: { readonly x: number; readonly y: number }): string => {
      const length = Math.hypot(other.x - point.x, other.y - point.y);
      const share = length === 0 ? 0 : Math.min(radius, length / 2) / length;
      return `${point.x + (other.x - point.x) * share} ${point.y + (other.y - point.y) * share}`;
    };
    return `L${near(before)}Q${point.x} ${point.y} ${near(after)}`;
  });
  return parts.join("");
}

function Label({ placed: { edge, label }, state }: { readonly placed: PlacedEdge; readonly state: ChartState }) {
  if (edge === null || label === null) return null;
  return (
    <g className="chart-label">
      <rect x={label.x} y={label.y} width={label.width} height={label.height} rx="3" />
      <Lines lines={edge.lines} x={label.x + 3} y={label.y} state={state} />
    </g>
  );
}

function Lines({
  lines,
  x,
  y,
  state,
}: {
  readonly lines: readonly TextLine[];
  readonly x: number;
  readonly y: number;
  readonly state: ChartState;
}) {
  return lines.map((line, index) => (
    <text key={index} className="chart-text" x={x} y={y + index * sizes.line + 10} xmlSpace="preserve">
      {line.map(({ text, transition }, at) => (
        <tspan key={at} className={kindOf(state, transition)} data-transition={transition ?? undefined}>
          {text}
        </tspan>
      ))}
    </text>
  ));
}
