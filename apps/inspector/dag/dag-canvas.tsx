import { useEffect, useRef, type MouseEvent } from "react";
import type { SessionState } from "teamchart/machines";
import { marks, memberMark, type Mark } from "../fold/actors.ts";
import { useSession, useShown } from "../session-context.ts";
import type { DagProps } from "./dag-props.ts";

/** What is drawn with. As registered colours they are read as what they are in the theme that holds, not as they are written. */
for (const name of ["--edge", "--accent", "--text", "--on-state", ...marks.map((mark) => `--state-${mark}`)])
  CSS.registerProperty({ name, syntax: "<color>", inherits: true, initialValue: "gray" });

/** Above this many edges in sight only those of the chosen member are drawn: the rest would be one grey area. */
const edgesMax = 12_000;

/** Draws a very large team on a canvas: what is in sight, in one go, colour by colour. */
export function DagCanvas(props: DagProps) {
  const { members, layout, viewport, size, onChoose } = props;
  const { facts } = useSession();
  const canvas = useRef<HTMLCanvasElement>(null);
  const session = useShown((shown) => shown.session);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || context === null || context === undefined) return;
    const ratio = globalThis.devicePixelRatio;
    element.width = size.width * ratio;
    element.height = size.height * ratio;
    context.scale(ratio * viewport.scale, ratio * viewport.scale);
    context.translate(-viewport.x, -viewport.y);
    drawDag(
      context,
      props,
      markOf(session, props, (member) => memberMark(member, facts)),
      getComputedStyle(element),
    );
  });
  const click = (event: MouseEvent): void => {
    const bounds = event.currentTarget.getBoundingClientRect();
    const at = {
      x: viewport.x + (event.clientX - bounds.x) / viewport.scale,
      y: viewport.y + (event.clientY - bounds.y) / viewport.scale,
    };
    const index = members.findIndex((_member, each) => {
      const [x, y] = [layout.x[each] ?? 0, layout.y[each] ?? 0];
      return at.x >= x && at.x <= x + layout.nodeWidth && at.y >= y && at.y <= y + layout.nodeHeight;
    });
    const member = members[index];
    if (member !== undefined) onChoose(member.name);
  };
  return (
    <canvas
      ref={canvas}
      className="dag-canvas"
      style={{ width: size.width, height: size.height }}
      onClick={click}
      aria-hidden="true"
    />
  );
}

type Members = DagProps["members"];

function markOf(
  { members: current }: SessionState,
  { members }: DagProps,
  read: (member: Members[number]) => Mark,
): Mark[] {
  return members.map(({ token }) => {
    const member = current.get(token);
    return member === undefined ? "cancelled" : read(member);
  });
}

function drawDag(
  context: CanvasRenderingContext2D,
  props: DagProps,
  states: readonly Mark[],
  style: CSSStyleDeclaration,
): void {
  const { members, layout, viewport, size, chosen } = props;
  const { x, y, nodeWidth, nodeHeight } = layout;
  const right = viewport.x + size.width / viewport.scale;
  const bottom = viewport.y + size.height / viewport.scale;
  const inSight = (index: number): boolean =>
    (x[index] ?? 0) + nodeWidth >= viewport.x &&
    (x[index] ?? 0) <= right &&
    (y[index] ?? 0) + nodeHeight >= viewport.y &&
    (y[index] ?? 0) <= bottom;
  drawEdges(context, props, { states, style, inSight });
  const color = (name: string): string => style.getPropertyValue(name);
  for (const mark of marks) {
    context.fillStyle = color(`--state-${mark}`);
    context.beginPath();
    for (const [index, state] of states.entries())
      if (state === mark && inSight(index)) context.rect(x[index] ?? 0, y[index] ?? 0, nodeWidth, nodeHeight);
    context.fill();
  }
  const chosenAt = chosen === null ? undefined : layout.indexOf.get(chosen);
  if (chosenAt !== undefined) {
    context.strokeStyle = color("--text");
    context.lineWidth = 3 / viewport.scale;
    context.strokeRect(x[chosenAt] ?? 0, y[chosenAt] ?? 0, nodeWidth, nodeHeight);
  }
  if (viewport.scale < 0.4) return;
  context.fillStyle = color("--on-state");
  context.font = "13px system-ui, sans-serif";
  for (const [index, member] of members.entries())
    if (inSight(index))
      context.fillText(member.name, (x[index] ?? 0) + 10, (y[index] ?? 0) + nodeHeight / 2 + 4.5, nodeWidth - 20);
}

interface EdgeDrawing {
  readonly states: readonly Mark[];
  readonly style: CSSStyleDeclaration;
  readonly inSight: (index: number) => boolean;
}

function drawEdges(
  context: CanvasRenderingContext2D,
  { layout, viewport, chosen }: DagProps,
  { style, inSight }: EdgeDrawing,
): void {
  const { x, y, nodeWidth, nodeHeight, edges } = layout;
  const chosenAt = chosen === null ? undefined : layout.indexOf.get(chosen);
  const line = (from: number, to: number): void => {
    context.moveTo((x[from] ?? 0) + nodeWidth, (y[from] ?? 0) + nodeHeight / 2);
    context.lineTo(x[to] ?? 0, (y[to] ?? 0) + nodeHeight / 2);
  };
  const seen: number[] = [];
  for (let at = 0; at < edges.length && seen.length <= edgesMax; at += 2)
    if (inSight(edges[at] ?? 0) || inSight(edges[at + 1] ?? 0)) seen.push(at);
  context.lineWidth = 1 / viewport.scale;
  if (seen.length <= edgesMax) {
    context.strokeStyle = style.getPropertyValue("--edge");
    context.globalAlpha = seen.length > 2_000 ? 0.25 : 0.8;
    context.beginPath();
    for (const at of seen) line(edges[at] ?? 0, edges[at + 1] ?? 0);
    context.stroke();
    context.globalAlpha = 1;
  }
  if (chosenAt === undefined) return;
  context.strokeStyle = style.getPropertyValue("--accent");
  context.lineWidth = 2 / viewport.scale;
  context.beginPath();
  for (let at = 0; at < edges.length; at += 2)
    if (edges[at] === chosenAt || edges[at + 1] === chosenAt) line(edges[at] ?? 0, edges[at + 1] ?? 0);
  context.stroke();
}
