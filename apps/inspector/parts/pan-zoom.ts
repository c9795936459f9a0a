import { useCallback, useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";

/** What of a drawing is seen: a point of the drawing at the left upper corner, and how large it is drawn. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** A size in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const scaleMax = 2.5;
const margin = 20;
const stepFactor = 1.25;

/** A part of a drawing. */
export interface Part extends Size {
  readonly x: number;
  readonly y: number;
}

/** The viewport in which a drawing is seen whole, or as much of it around `focus` as stays legible above `scaleMin`. */
export function fitted(drawing: Size, box: Size, scaleMin: number, focus: Part | null = null): Viewport {
  const wanted = Math.min((box.width - margin * 2) / drawing.width, (box.height - margin * 2) / drawing.height, 1);
  const scale = Math.max(scaleMin, Number.isFinite(wanted) ? wanted : 1);
  const begin = (size: number, room: number, middle: number): number => {
    const seen = room / scale;
    const edge = margin / scale;
    if (size + edge * 2 <= seen) return (size - seen) / 2;
    return Math.max(-edge, Math.min(size + edge - seen, middle - seen / 2));
  };
  const x = begin(drawing.width, box.width, focus === null ? 0 : focus.x + focus.width / 2);
  const y = begin(drawing.height, box.height, focus === null ? 0 : focus.y + focus.height / 2);
  return { x, y, scale };
}

/** Pans by pointer, zooms by wheel and by keys, and begins fitted. */
export function usePanZoom(
  box: RefObject<HTMLElement | null>,
  drawing: Size | null,
  scaleMin: number,
  focus: Part | null = null,
) {
  const size = useSize(box);
  const [moved, setMoved] = useState<Viewport | null>(null);
  const start = useRef<{ readonly x: number; readonly y: number; readonly viewport: Viewport } | null>(null);
  const viewport =
    moved ?? (drawing === null || size.width === 0 ? { x: 0, y: 0, scale: 1 } : fitted(drawing, size, scaleMin, focus));
  const current = useRef(viewport);
  useEffect(() => {
    current.current = viewport;
  });
  const zoom = useCallback(
    (factor: number, at?: { readonly x: number; readonly y: number }) => {
      const { x, y, scale } = current.current;
      const bounds = box.current?.getBoundingClientRect();
      const point = at ?? { x: (bounds?.width ?? 0) / 2, y: (bounds?.height ?? 0) / 2 };
      const next = Math.max(0.02, Math.min(scaleMax, scale * factor));
      setMoved({ x: x + point.x / scale - point.x / next, y: y + point.y / scale - point.y / next, scale: next });
    },
    [box],
  );
  useWheel(box, current, { zoom, setMoved });
  return {
    size,
    viewport,
    zoomIn: () => zoom(stepFactor),
    zoomOut: () => zoom(1 / stepFactor),
    fit: () => setMoved(null),
    show: setMoved,
    pan: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        start.current = { x: event.clientX, y: event.clientY, viewport };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const from = start.current;
        if (from === null || event.buttons === 0) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        // A small move is a click with an unsteady hand.
        if (moved === null && Math.hypot(dx, dy) < 4) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setMoved({
          ...from.viewport,
          x: from.viewport.x - dx / from.viewport.scale,
          y: from.viewport.y - dy / from.viewport.scale,
        });
      },
      onPointerUp: () => {
        start.current = null;
      },
    },
  };
}

interface Wheel {
  readonly zoom: (factor: number, at: { readonly x: number; readonly y: number }) => void;
  readonly setMoved: (viewport: Viewport) => void;
}

/** React listens to wheels passively, and this one must not scroll the page. */
function useWheel(box: RefObject<HTMLElement | null>, current: RefObject<Viewport>, { zoom, setMoved }: Wheel): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const bounds = element.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) {
        zoom(Math.exp(-event.deltaY * 0.01), { x: event.clientX - bounds.x, y: event.clientY - bounds.y });
        return;
      }
      const { x, y, scale } = current.current;
      const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
      setMoved({ x: x + dx / scale, y: y + dy / scale, scale });
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [box, current, zoom, setMoved]);
}

function useSize(box: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
