import type { MemberRecord } from "teamchart/machines";
import type { Size, Viewport } from "../parts/pan-zoom.ts";
import type { DagLayout } from "./layers.ts";

/** What a drawing of a team is made of. */
export interface DagProps {
  /** In the order of the layout's nodes. Their states are read from the session, these are who they are. */
  readonly members: readonly MemberRecord[];
  readonly layout: DagLayout;
  readonly viewport: Viewport;
  readonly size: Size;
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

/** A curve from the right side of a node to the left side of another. */
export function edgePath({ x, y, nodeWidth, nodeHeight }: DagLayout, from: number, to: number): string {
  const [x1, y1] = [(x[from] ?? 0) + nodeWidth, (y[from] ?? 0) + nodeHeight / 2];
  const [x2, y2] = [x[to] ?? 0, (y[to] ?? 0) + nodeHeight / 2];
  const bend = Math.max(16, Math.min(60, (x2 - x1) / 2));
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
