import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import type { ActorRef } from "../fold/actors.ts";
import type { Message } from "../fold/messages.ts";
import { Empty } from "../parts/empty.tsx";
import { bytesText, countText } from "../parts/format.ts";
import { useSession, useShown } from "../session-context.ts";
import { MessageDetail } from "./message-detail.tsx";
import { OnlyActor } from "../parts/only-actor.tsx";

/** Lanes that are drawn; more would be too narrow to read. */
const lanesMax = 12;
const rowHeight = 34;
const laneWidth = 118;

/** Who wrote to whom, in order: a lane for each, an arrow for each message. */
export function MessagesView({
  actor,
  onChoose,
}: {
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}) {
  const { model } = useSession();
  const [filter, setFilter] = useState({ notices: true, onlyActor: false });
  const [open, setOpen] = useState<Message | null>(null);
  const position = useShown((shown) => shown.position);
  const only = filter.onlyActor && actor !== null ? actor.name : null;
  const messages = useMemo(
    () =>
      model.messages.all.filter(
        (message) =>
          message.index < position &&
          (filter.notices || message.kind !== "notice") &&
          (only === null || concerns(message, only)),
      ),
    [model, position, filter.notices, only],
  );
  const lanes = useMemo(() => lanesOf(messages, only), [messages, only]);
  return (
    <div className="messages">
      <MessagesBar
        filter={filter}
        setFilter={setFilter}
        actor={actor}
        text={`${countText(messages.length)} messages${lanes.hidden > 0 ? `, ${lanes.hidden} quieter actors share the last lane` : ""}`}
      />
      {messages.length === 0 ? (
        <Empty title="No messages">
          {position === 0
            ? "Nothing has happened yet."
            : "Nobody has written to anybody up to this place on the timeline."}
        </Empty>
      ) : (
        <Sequence messages={messages} lanes={lanes} open={open} onOpen={setOpen} onChoose={onChoose} />
      )}
      {open !== null && <MessageDetail message={open} onClose={() => setOpen(null)} onChoose={onChoose} />}
    </div>
  );
}

interface BarFilter {
  readonly notices: boolean;
  readonly onlyActor: boolean;
}

function MessagesBar({
  filter,
  setFilter,
  actor,
  text,
}: {
  readonly filter: BarFilter;
  readonly setFilter: (filter: BarFilter) => void;
  readonly actor: ActorRef | null;
  readonly text: string;
}) {
  return (
    <div className="view-bar">
      <label className="check">
        <input
          type="checkbox"
          checked={filter.notices}
          onChange={() => setFilter({ ...filter, notices: !filter.notices })}
        />{" "}
        notices of the session
      </label>
      <OnlyActor
        name={actor?.name ?? null}
        checked={filter.onlyActor}
        onToggle={() => setFilter({ ...filter, onlyActor: !filter.onlyActor })}
      />
      <span className="dim spread-end">{text}</span>
    </div>
  );
}

const concerns = (message: Message, name: string): boolean =>
  message.from === name || message.to === name || message.copies.some((copy) => copy.name === name);

interface Lanes {
  readonly names: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** How many share the last lane. */
  readonly hidden: number;
}

/** The lanes: user and lead first, then whoever writes and reads most. */
function lanesOf(messages: readonly Message[], only: string | null): Lanes {
  const counts = new Map<string, number>();
  const count = (name: string, by: number): void => void counts.set(name, (counts.get(name) ?? 0) + by);
  for (const { from, copies, to } of messages) {
    count(from, 1);
    if (copies.length === 0) count(to, 1);
    // A broadcast goes to everybody: that says little about anybody.
    for (const { name } of copies) count(name, 1 / copies.length);
  }
  const rank = (name: string): number =>
    name === only ? Infinity : name === "user" ? 1e9 : name === "Lead" ? 1e8 : (counts.get(name) ?? 0);
  const names = [...counts.keys()].toSorted((a, b) => rank(b) - rank(a));
  const shown = names.length > lanesMax ? [...names.slice(0, lanesMax - 1), "others"] : names;
  const indexOf = new Map(names.map((name, index) => [name, Math.min(index, shown.length - 1)]));
  return { names: shown, indexOf, hidden: names.length > lanesMax ? names.length - lanesMax + 1 : 0 };
}

function Sequence({
  messages,
  lanes,
  open,
  onOpen,
  onChoose,
}: {
  readonly messages: readonly Message[];
  readonly lanes: Lanes;
  readonly open: Message | null;
  readonly onOpen: (message: Message) => void;
  readonly onChoose: (name: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const width = lanes.names.length * laneWidth + 50;
  return (
    <div className="sequence" ref={box} tabIndex={0} role="region" aria-label="Messages">
      <div className="sequence-head" style={{ width }} role="presentation">
        {lanes.names.map((name, index) => (
          <button
            key={name}
            type="button"
            className="lane-name"
            style={{ left: 50 + index * laneWidth, width: laneWidth }}
            title={name}
            onClick={() => onChoose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div style={{ height: virtual.getTotalSize(), width, position: "relative" }} role="list">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const message = messages[index];
          return message === undefined ? null : (
            <SequenceRow
              key={index}
              message={message}
              lanes={lanes}
              top={start}
              width={width}
              isOpen={message === open}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}

const laneX = (index: number): number => 50 + index * laneWidth + laneWidth / 2;

function SequenceRow({
  message,
  lanes,
  top,
  width,
  isOpen,
  onOpen,
}: {
  readonly message: Message;
  readonly lanes: Lanes;
  readonly top: number;
  readonly width: number;
  readonly isOpen: boolean;
  readonly onOpen: (message: Message) => void;
}) {
  const from = lanes.indexOf.get(message.from) ?? 0;
  const targets = message.copies.length > 0 ? message.copies.map(({ name }) => name) : [message.to];
  const to = [...new Set(targets.map((name) => lanes.indexOf.get(name) ?? from))];
  const text =
    message.text ??
    (message.refused === null ? `${message.kind}, ${bytesText(message.bytes)}` : `refused: ${message.refused}`);
  const label = `${message.from} to ${message.copies.length > 1 ? `${message.copies.length} recipients` : targets.join(", ")}: ${text}`;
  const kind = message.refused !== null ? "refused" : message.kind === "notice" ? "notice" : "sent";
  return (
    <div
      role="listitem"
      className={`sequence-row${isOpen ? " open" : ""}`}
      style={{ transform: `translateY(${top}px)`, height: rowHeight, width }}
    >
      <button type="button" className="sequence-button" onClick={() => onOpen(message)}>
        <span className="visually-hidden">{label}</span>
        <span className="sequence-seq mono">{message.seq}</span>
        <svg width={width} height={rowHeight} aria-hidden="true">
          {lanes.names.map((name, index) => (
            <path key={name} className="lane" d={`M${laneX(index)} 0v${rowHeight}`} />
          ))}
          {to.map((target) => (
            <Arrow key={target} from={laneX(from)} to={laneX(target)} kind={kind} />
          ))}
          <text className="sequence-text" x={Math.min(laneX(from), ...to.map(laneX)) + 8} y="13">
            {text.length > 46 ? `${text.slice(0, 46).toWellFormed()}…` : text}
          </text>
        </svg>
      </button>
    </div>
  );
}

function Arrow({ from, to, kind }: { readonly from: number; readonly to: number; readonly kind: string }) {
  const y = 22;
  if (from === to) return <path className={`message ${kind}`} d={`M${from} ${y - 6}h18v10h-14m4-4-4 4 4 4`} />;
  const tip = to > from ? -1 : 1;
  return <path className={`message ${kind}`} d={`M${from} ${y}H${to}m${6 * tip}-4 ${-6 * tip} 4 ${6 * tip} 4`} />;
}
