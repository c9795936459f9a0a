import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useRef, useState, type KeyboardEvent } from "react";
import type { FactReader, MemberRecord, SessionState } from "teamchart/machines";
import { leadMark, marks, markText, memberMark, teamMark, words, type Mark } from "../fold/actors.ts";
import { rowOf } from "../fold/session-view.ts";
import { Empty } from "../parts/empty.tsx";
import { countText, spanText } from "../parts/format.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { useSession, useShown } from "../session-context.ts";
import { useNow } from "../use-now.ts";

/** How members may be ordered. */
const orders = { declared: "As declared", state: "By state", since: "Longest in their state", unread: "Most unread", tokens: "Most tokens" } as const;
type Order = keyof typeof orders;

interface Filter {
  readonly text: string;
  readonly mark: Mark | "all";
  readonly order: Order;
}

interface RosterProps {
  /** Token of the actor that is looked at. */
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

const rowHeight = 42;

/** Everybody of the session: state, since when, whom they wait for, what is unread, and what they cost. */
export function RosterView({ chosen, onChoose }: RosterProps) {
  const { facts } = useSession();
  const [filter, setFilter] = useState<Filter>({ text: "", mark: "all", order: "declared" });
  const shown = useShown((each) => each);
  const members = filtered(shown.session, filter, facts);
  const total = shown.session.members.size;
  return (
    <div className="roster">
      <RosterFilter filter={filter} setFilter={setFilter} />
      <RootRows chosen={chosen} onChoose={onChoose} />
      {total === 0 ? (
        <Empty title="No members">The session has no team {shown.atHead ? "yet" : "at this place on the timeline"}.</Empty>
      ) : members.length === 0 ? (
        <Empty title="Nobody matches"><button type="button" className="link" onClick={() => setFilter({ ...filter, text: "", mark: "all" })}>Show all {total}</button></Empty>
      ) : (
        <RosterList members={members} session={shown.session} chosen={chosen} onChoose={onChoose} />
      )}
      <p className="roster-foot dim" role="status">{members.length === total ? `${countText(total)} members` : `${countText(members.length)} of ${countText(total)} members`}</p>
    </div>
  );
}

function filtered({ team, members }: SessionState, { text, mark, order }: Filter, facts: FactReader): MemberRecord[] {
  const wanted = text.trim().toLowerCase();
  const found = (team?.order ?? []).flatMap((token) => members.get(token) ?? []).filter((member) => {
    if (mark !== "all" && memberMark(member, facts) !== mark) return false;
    return wanted === "" || member.name.toLowerCase().includes(wanted) || member.agentType.toLowerCase().includes(wanted);
  });
  if (order === "declared") return found;
  const rank = (member: MemberRecord): number =>
    order === "state" ? marks.indexOf(memberMark(member, facts)) : order === "since" ? member.since : order === "unread" ? -member.unread.length : -member.tokens;
  return found.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index);
}

function RosterFilter({ filter, setFilter }: { readonly filter: Filter; readonly setFilter: (filter: Filter) => void }) {
  return (
    <div className="roster-filter">
      <input type="search" placeholder="Find a member" aria-label="Find a member" value={filter.text} onChange={(event) => setFilter({ ...filter, text: event.target.value })} />
      <select aria-label="State" value={filter.mark} onChange={(event) => {
        const mark = [...marks, "all" as const].find((each) => each === event.target.value);
        setFilter({ ...filter, mark: mark ?? "all" });
      }}>
        <option value="all">Every state</option>
        {marks.map((mark) => <option key={mark} value={mark}>{markText[mark]}</option>)}
      </select>
      <select aria-label="Order" value={filter.order} onChange={(event) => {
        // The options are the keys of `orders`.
        setFilter({ ...filter, order: event.target.value as Order });
      }}>
        {Object.entries(orders).map(([key, text]) => <option key={key} value={key}>{text}</option>)}
      </select>
    </div>
  );
}

/** The lead and the team, above the members. */
function RootRows({ chosen, onChoose }: RosterProps) {
  const { facts } = useSession();
  const lead = useShown(({ session }) => ({ kind: session.config?.lead ?? "none", turn: facts.lead(session.lead.snapshot).turn, unread: session.lead.unread.length }), same);
  const team = useShown(({ session }) => (session.team === null ? null : { token: session.team.token, state: facts.team(session.team.snapshot) }), same);
  const phase = useShown(({ session }) => String(session.snapshot.value === "closed" ? "closed" : session.snapshot.matches({ opened: "owned" }) ? "open" : "no owner"));
  return (
    <div className="root-rows" role="group" aria-label="Session, lead and team">
      <RootRow name="Lead" mark={lead.kind === "none" ? "cancelled" : leadMark(lead.turn)} text={lead.kind === "none" ? "no lead: the host leads" : words(lead.turn)} unread={lead.unread} isChosen={chosen === "lead"} onChoose={onChoose} />
      {team !== null && <RootRow name="Team" mark={teamMark(team.state)} text={words(team.state)} unread={0} isChosen={chosen === team.token} onChoose={onChoose} />}
      <RootRow name="session" mark={phase === "closed" ? "cancelled" : phase === "open" ? "in_progress" : "blocked"} text={phase} unread={0} isChosen={chosen === "session"} onChoose={onChoose} />
    </div>
  );
}

const same = (a: object | null, b: object | null): boolean => JSON.stringify(a) === JSON.stringify(b);

function RootRow({ name, mark, text, unread, isChosen, onChoose }: { readonly name: string; readonly mark: Mark; readonly text: string; readonly unread: number; readonly isChosen: boolean; readonly onChoose: (name: string) => void }) {
  return (
    <button type="button" className="root-row" aria-pressed={isChosen} onClick={() => onChoose(name)}>
      <StateMark state={mark} label={null} />
      <span className="row-name">{name}</span>
      <span className="dim row-text">{text}</span>
      {unread > 0 && <span className="count" title={`${unread} unread`}>{unread}</span>}
    </button>
  );
}

function RosterList({ members, session, chosen, onChoose }: RosterProps & { readonly members: readonly MemberRecord[]; readonly session: SessionState }) {
  const { skewMs } = useSession();
  const box = useRef<HTMLDivElement>(null);
  const atHead = useShown((shown) => shown.atHead);
  const isOpen = session.snapshot.value !== "closed";
  const clock = useNow() + skewMs;
  const now = atHead && isOpen && skewMs !== 0 ? clock : session.at;
  const virtual = useVirtualizer({ count: members.length, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 8 });
  const at = members.findIndex(({ token }) => token === chosen);
  const move = (event: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: members.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    const next = to === undefined ? undefined : members[Math.max(0, Math.min(members.length - 1, to))];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    virtual.scrollToIndex(members.indexOf(next));
  };
  return (
    <div className="roster-list" ref={box} role="listbox" aria-label="Members" tabIndex={0} aria-activedescendant={at < 0 ? undefined : `row-${at}`} onKeyDown={move}>
      <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const member = members[index];
          if (member === undefined) return null;
          return (
            <div key={member.token} id={`row-${index}`} className="roster-row" role="option" aria-selected={member.token === chosen} aria-posinset={index + 1} aria-setsize={members.length} style={{ transform: `translateY(${start}px)`, height: rowHeight }} onClick={() => onChoose(member.name)}>
              <Row member={member} session={session} now={now} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const Row = memo(function Row({ member, session, now }: { readonly member: MemberRecord; readonly session: SessionState; readonly now: number }) {
  const { facts } = useSession();
  const row = rowOf(session, member, facts);
  return (
    <>
      <StateMark state={row.status} />
      <span className="row-main">
        <span className="row-name" title={row.name}>{row.name}</span>
        <span className="dim row-text" title={row.reason ?? undefined}>{detailOf(row)}</span>
      </span>
      <span className="row-side">
        <span title={`In this state for ${spanText(now - row.since)}`}>{now > row.since ? spanText(now - row.since) : ""}</span>
        <span className="dim">{row.tokens > 0 ? `${countText(row.tokens)} tok` : ""}</span>
      </span>
      {row.unread > 0 && <span className="count" title={`${row.unread} unread`}>{row.unread}</span>}
    </>
  );
});

/** The one thing worth saying of a member in its state. */
function detailOf({ status, waitingOn, reason, activity, presence, replacedBy }: ReturnType<typeof rowOf>): string {
  if (status === "blocked") {
    if (waitingOn.length === 0) return "waits to be started";
    return `waits for ${waitingOn.slice(0, 3).join(", ")}${waitingOn.length > 3 ? ` and ${waitingOn.length - 3} more` : ""}`;
  }
  if (status === "failed") return reason ?? "failed";
  if (status === "cancelled") return replacedBy === undefined ? "cancelled" : `replaced by ${replacedBy}`;
  if (activity !== null) return words(activity);
  return status === "completed" && presence === "idle" ? "completed, idle" : presence === "shutdown" ? words(status) : words(presence);
}
