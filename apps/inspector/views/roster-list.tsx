import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useRef } from "react";
import type { MemberRecord, SessionState } from "teamchart/machines";
import type { MemberStatus } from "teamchart/protocol";
import { words, type Mark } from "../fold/actors.ts";
import { rowOf } from "../fold/session-view.ts";
import { countText, spanText } from "../parts/format.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { useSession } from "../session-context.ts";
import { useClock } from "../use-clock.ts";

/** Who is looked at, and how another one is. */
export interface RosterProps {
  /** Token of the actor that is looked at. */
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

const rowHeight = 42;

/** The rows of some members; only those in sight are there. */
export function RosterList({
  members,
  session,
  chosen,
  onChoose,
}: RosterProps & { readonly members: readonly MemberRecord[]; readonly session: SessionState }) {
  const { facts } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const now = useClock() ?? session.at;
  const virtual = useVirtualizer({
    count: members.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const at = members.findIndex(({ token }) => token === chosen);
  return (
    <div
      className="roster-list"
      ref={box}
      role="listbox"
      aria-label="Members"
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : `row-${at}`}
      onKeyDown={(event) => {
        const next = members[rowAfter(event.key, at, members.length) ?? -1];
        if (next === undefined) return;
        event.preventDefault();
        onChoose(next.name);
        virtual.scrollToIndex(members.indexOf(next));
      }}
    >
      <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const member = members[index];
          if (member === undefined) return null;
          return (
            <div
              key={member.token}
              id={`row-${index}`}
              className="roster-row"
              role="option"
              aria-selected={member.token === chosen}
              aria-posinset={index + 1}
              aria-setsize={members.length}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              onClick={() => onChoose(member.name)}
            >
              <Row {...rowTexts(rowOf(session, member, facts), now)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RowTexts {
  readonly status: Mark;
  readonly name: string;
  readonly detail: string;
  readonly reason: string | undefined;
  readonly since: string;
  readonly tokens: number;
  readonly unread: number;
}

/** What a row says: as long as that is the same, nothing is drawn anew. */
const rowTexts = (row: MemberStatus, now: number): RowTexts => ({
  status: row.status,
  name: row.name,
  detail: detailOf(row),
  reason: row.reason,
  since: now > row.since ? spanText(now - row.since) : "",
  tokens: row.tokens,
  unread: row.unread,
});

const Row = memo(function Row({ status, name, detail, reason, since, tokens, unread }: RowTexts) {
  return (
    <>
      <StateMark state={status} />
      <span className="row-main">
        <span className="row-name" title={name}>
          {name}
        </span>
        <span className="dim row-text" title={reason}>
          {detail}
        </span>
      </span>
      <span className="row-side">
        <span title={since === "" ? undefined : `In this state for ${since}`}>{since}</span>
        <span className="dim">{tokens > 0 ? `${countText(tokens)} tok` : ""}</span>
      </span>
      {unread > 0 && (
        <span className="count" title={`${unread} unread`}>
          {unread}
        </span>
      )}
    </>
  );
});

/** The one thing worth saying of a member in its state. */
function detailOf({ status, waitingOn, reason, activity, presence, replacedBy }: MemberStatus): string {
  if (status === "blocked") {
    if (waitingOn.length === 0) return "waits to be started";
    return `waits for ${waitingOn.slice(0, 3).join(", ")}${waitingOn.length > 3 ? ` and ${waitingOn.length - 3} more` : ""}`;
  }
  if (status === "failed") return reason ?? "failed";
  if (status === "cancelled") return replacedBy === undefined ? "cancelled" : `replaced by ${replacedBy}`;
  if (activity !== null) return words(activity);
  return status === "completed" && presence === "idle"
    ? "completed, idle"
    : presence === "shutdown"
      ? words(status)
      : words(presence);
}

/** The row that a key leads to. */
function rowAfter(key: string, at: number, count: number): number | undefined {
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1, PageDown: at + 10, PageUp: at - 10 }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
}
