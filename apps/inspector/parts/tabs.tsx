import { useRef, type KeyboardEvent } from "react";

/** One tab: what it is known by, what it is called, and a count beside it. */
export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number;
  readonly urgent?: boolean;
}

/** Tabs as the keyboard expects them: arrows move, and one of them is in the order of the page. */
export function Tabs<Id extends string>(props: {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly current: Id;
  readonly onSelect: (id: Id) => void;
  /** Id of the element that the tabs show. */
  readonly panel: string;
}) {
  const { label, tabs, current, onSelect, panel } = props;
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(({ id, label: text, count = 0, urgent = false }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${panel}-tab-${id}`}
          data-tab={id}
          aria-selected={id === current}
          aria-controls={panel}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {text}
          {count > 0 && <span className={urgent ? "count urgent" : "count"}>{count}</span>}
        </button>
      ))}
    </div>
  );
}
