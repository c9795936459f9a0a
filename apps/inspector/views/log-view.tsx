import { memo, useEffect, useMemo, useState } from "react";
import type { ActorRef } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { useEndRows } from "../parts/end-rows.ts";
import { countText, timeText } from "../parts/format.ts";
import { useSession, useShown } from "../session-context.ts";
import { eventText, lineOf, LogLines, type LogFilter, type LogLine } from "./log-lines.ts";
import { ActorLink } from "./actor-link.tsx";
import { OnlyActor } from "../parts/only-actor.tsx";

const rowHeight = 26;
const verdicts = ["handled", "ignored", "stale", "refused", "error"] as const;

/** Every applied event in order: inputs, and what followed from each. A click shows the session after it. */
export function LogView({
  actor,
  onChoose,
}: {
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}) {
  const { model } = useSession();
  const { timeline } = model;
  const [filter, setFilter] = useState<BarFilter>({
    text: "",
    verdict: "all",
    posts: true,
    onlyActor: false,
  });
  const length = useShown((shown) => shown.length);
  const epoch = useShown(() => timeline.epoch);
  const token = filter.onlyActor && actor !== null ? actor.token : null;
  const { text, verdict, posts } = filter;
  // Begun anew when the entries are others: places of entries are what a line is.
  const found = useMemo(
    () => ({ epoch, lines: new LogLines({ text, verdict, posts, token }) }),
    [epoch, text, verdict, posts, token],
  );
  const lines = found.lines.upTo(timeline.entries, length);
  return (
    <div className="log">
      <LogBar filter={filter} setFilter={setFilter} actor={actor} count={lines.length} />
      {lines.length === 0 ? (
        <Empty title={length === 0 ? "Nothing has happened yet" : "No event matches"} />
      ) : (
        <LogList key={`${epoch} ${verdict} ${posts} ${token} ${text}`} lines={lines} onChoose={onChoose} />
      )}
    </div>
  );
}

type BarFilter = Omit<LogFilter, "token"> & { readonly onlyActor: boolean };

function LogBar({
  filter,
  setFilter,
  actor,
  count,
}: {
  readonly filter: BarFilter;
  readonly setFilter: (filter: BarFilter) => void;
  readonly actor: ActorRef | null;
  readonly count: number;
}) {
  return (
    <div className="view-bar">
      <input
        type="search"
        placeholder="Filter by event"
        aria-label="Filter by event"
        value={filter.text}
        onChange={(event) => setFilter({ ...filter, text: event.target.value })}
      />
      <select
        aria-label="Verdict"
        value={filter.verdict}
        onChange={(event) => {
          const next = [...verdicts, "differs" as const].find((each) => each === event.target.value);
          setFilter({ ...filter, verdict: next ?? "all" });
        }}
      >
        <option value="all">Every verdict</option>
        {verdicts.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
        <option value="differs">recorded otherwise</option>
      </select>
      <label className="check">
        <input type="checkbox" checked={filter.posts} onChange={() => setFilter({ ...filter, posts: !filter.posts })} />{" "}
        posts
      </label>
      <OnlyActor
        name={actor?.name ?? null}
        checked={filter.onlyActor}
        onToggle={() => setFilter({ ...filter, onlyActor: !filter.onlyActor })}
      />
      <span className="dim spread-end">{countText(count)} events</span>
    </div>
  );
}

function LogList({
  lines,
  onChoose,
}: {
  readonly lines: readonly LogLine[];
  readonly onChoose: (name: string) => void;
}) {
  const { seek } = useSession();
  const { position, atHead } = useShown((shown) => shown);
  const { box, onScroll, first, end, count, atEnd, toEnd, show } = useEndRows(lines.length, rowHeight, atHead);
  const current = atHead ? lines.length - 1 : lines.findLastIndex(({ index }) => index < position);
  useEffect(() => {
    if (!atHead && current >= 0) show(current);
  }, [show, current, atHead]);
  // An element keeps its line as long as that is drawn, wherever it moves, and then takes another one.
  const slots = Math.max(1, end - first);
  const more = lines.length - count;
  return (
    <div className="log-frame">
      <div
        className="log-list"
        ref={box}
        role="grid"
        aria-label="Events"
        aria-rowcount={lines.length}
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={(event) => {
          const to = lines[event.key === "ArrowDown" ? current + 1 : event.key === "ArrowUp" ? current - 1 : -1];
          if (to === undefined) return;
          event.preventDefault();
          seek(to.index + 1);
        }}
      >
        <div className="log-rows" style={{ height: count * rowHeight }} role="presentation">
          {lines.slice(first, end).map((line, place) => (
            <LogRow
              key={(first + place) % slots}
              line={line}
              row={first + place}
              top={(first + place - count + 1) * rowHeight}
              isCurrent={!atHead && line.index === position - 1}
              isAhead={!atHead && line.index >= position}
              onChoose={onChoose}
            />
          ))}
        </div>
      </div>
      {atHead && !atEnd && more > 0 && (
        <button type="button" className="button log-more" onClick={toEnd}>
          {countText(more)} more: to the end
        </button>
      )}
    </div>
  );
}

interface LogRowProps {
  readonly line: LogLine;
  readonly row: number;
  readonly top: number;
  readonly isCurrent: boolean;
  readonly isAhead: boolean;
  readonly onChoose: (name: string) => void;
}

/** A line in its place; what it says is drawn once, wherever it moves. */
function LogRow({ line, row, top, isCurrent, isAhead, onChoose }: LogRowProps) {
  const { model, seek } = useSession();
  const { index, step } = line;
  const verdict = model.timeline.entries[index]?.steps[step]?.verdict ?? "ignored";
  return (
    <div
      className={`log-row${step > 0 ? " post" : ""}${isCurrent ? " current" : ""}${isAhead ? " ahead" : ""} verdict-${verdict}`}
      role="row"
      aria-rowindex={row + 1}
      aria-selected={isCurrent}
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
      onClick={() => seek(index + 1)}
    >
      <LogCells line={line} onChoose={onChoose} />
    </div>
  );
}

const LogCells = memo(function LogCells({ line: { index, step }, onChoose }: Pick<LogRowProps, "line" | "onChoose">) {
  const { model } = useSession();
  const entry = model.timeline.entries[index];
  const line = entry === undefined ? undefined : lineOf(model.timeline.head, entry, step);
  if (entry === undefined || line === undefined) return null;
  const { seq, at, actor, from, event, verdict, status } = line;
  const why = step === 0 && entry.why !== null ? ` · ${entry.why}` : "";
  return (
    <>
      <span role="gridcell" className="log-seq mono" title={step > 0 ? `Follows from input ${seq}` : timeText(at)}>
        {step === 0 ? seq : `└ ${seq}.${step}`}
      </span>
      <span role="gridcell" className="log-who">
        {from !== actor && (
          <>
            <ActorLink name={from} onChoose={onChoose} /> →{" "}
          </>
        )}
        <ActorLink name={actor} onChoose={onChoose} />
      </span>
      <span role="gridcell" className="log-event">
        <strong>{event.type}</strong>{" "}
        <span className="dim">
          {eventText(event)}
          {why}
        </span>
      </span>
      <span role="gridcell" className="log-status">
        {entry.difference !== null && step === 0 && (
          <span className="tag tag-warn" title={entry.difference}>
            recorded otherwise
          </span>
        )}
        {status !== undefined && <span className={`status-text state-${status}`}>{status.replace("_", " ")}</span>}
      </span>
      <span role="gridcell" className="log-verdict">
        {verdict === "handled" ? "" : <span className={`tag verdict-tag-${verdict}`}>{verdict}</span>}
      </span>
    </>
  );
});
