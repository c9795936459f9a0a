import { useCallback, useLayoutEffect, useRef, useState, type RefObject, type UIEvent } from "react";

/**
 * Rows of one height in a list that is laid out from its end (`flex-direction: column-reverse`): a list that grows at its end
 * neither scrolls nor is measured, so that it can grow many times a second.
 */
export interface EndRows {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
  /** The rows to draw: from `first` up to, and without, `end`. */
  readonly first: number;
  readonly end: number;
  /** How many rows the list has for its reader: of one that has left the end no more come. */
  readonly count: number;
  /** Whether the end is in sight, and stays so. */
  readonly atEnd: boolean;
  /** Goes back to the end. */
  readonly toEnd: () => void;
  /** Brings a row into sight. */
  readonly show: (row: number) => void;
}

/** Rows above and below those in sight, so that scrolling shows no gaps. */
const overscan = 6;

/** Keeps the end of `length` rows in sight until their reader scrolls up; `isOn` false: nothing is followed. */
export function useEndRows(length: number, rowHeight: number, isOn: boolean): EndRows {
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  /** Rows between the end of the list and the lower edge of the box. */
  const [below, setBelow] = useState(0);
  const [held, setHeld] = useState<number | null>(null);
  const latest = useRef(length);
  useLayoutEffect(() => {
    latest.current = length;
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const toEnd = useCallback(() => {
    box.current?.scrollTo({ top: 0 });
    setHeld(null);
    setBelow(0);
  }, []);
  useLayoutEffect(() => {
    if (isOn) toEnd();
  }, [isOn, toEnd]);
  const atEnd = isOn && held === null;
  const count = held === null ? length : Math.min(held, length);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>): void => {
    const rows = Math.max(0, Math.floor(-currentTarget.scrollTop / rowHeight));
    setBelow(rows);
    if (rows >= 2) setHeld((before) => before ?? latest.current);
    else if (isOn) setHeld(null);
  };
  const show = useCallback(
    (row: number) => {
      const element = box.current;
      if (element === null) return;
      // What has come since the list was held is part of it now: what is in sight stays where it is.
      const total = latest.current;
      const offset = (total - 1 - row) * rowHeight;
      const from = -element.scrollTop;
      const top = offset + rowHeight - element.clientHeight;
      const next = offset < from ? offset : top > from ? top : from;
      setHeld(total);
      setBelow(Math.floor(next / rowHeight));
      // The list has its new height when it is drawn.
      requestAnimationFrame(() => element.scrollTo({ top: -next }));
    },
    [rowHeight],
  );
  const inSight = Math.ceil(height / rowHeight) + 1;
  const end = Math.max(0, Math.min(count, count - below + overscan));
  const first = Math.max(0, count - below - inSight - overscan);
  return { box, onScroll, first, end, count, atEnd, toEnd, show };
}
