import { useState } from "react";
import type { FactReader, MemberRecord, SessionState } from "teamchart/machines";
import { leadMark, marks, markText, memberMark, teamMark, words, type Mark } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { countText } from "../parts/format.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { useSession, useShown } from "../session-context.ts";
import { RosterList, type RosterProps } from "./roster-list.tsx";

/** How members may be ordered. */
const orders = {
  declared: "As declared",
  state: "By state",
  since: "Longest in their state",
  unread: "Most unread",
  tokens: "Most tokens",
} as const;
type Order = keyof typeof orders;

interface Filter {
  readonly text: string;
  readonly mark: Mark | "all";
  readonly order: Order;
}

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
        <Empty title="No members">
          The session has no team {shown.atHead ? "yet" : "at this place on the timeline"}.
        </Empty>
      ) : members.length === 0 ? (
        <Empty title="Nobody matches">
          <button type="button" className="link" onClick={() => setFilter({ ...filter, text: "", mark: "all" })}>
            Show all {total}
          </button>
        </Empty>
      ) : (
        <RosterList members={members} session={shown.session} chosen={chosen} onChoose={onChoose} />
      )}
      <p className="roster-foot dim" role="status">
        {members.length === total
          ? `${countText(total)} members`
          : `${countText(members.length)} of ${countText(total)} members`}
      </p>
    </div>
  );
}

function filtered({ team, members }: SessionState, { text, mark, order }: Filter, facts: FactReader): MemberRecord[] {
  const wanted = text.trim().toLowerCase();
  const found = (team?.order ?? [])
    .flatMap((token) => members.get(token) ?? [])
    .filter((member) => {
      if (mark !== "all" && memberMark(member, facts) !== mark) return false;
      return (
        wanted === "" || member.name.toLowerCase().includes(wanted) || member.agentType.toLowerCase().includes(wanted)
      );
    });
  if (order === "declared") return found;
  const rank = (member: MemberRecord): number =>
    order === "state"
      ? marks.indexOf(memberMark(member, facts))
      : order === "since"
        ? member.since
        : order === "unread"
          ? -member.unread.length
          : -member.tokens;
  return found.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index);
}

function RosterFilter({
  filter,
  setFilter,
}: {
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}) {
  return (
    <div className="roster-filter">
      <input
        type="search"
        placeholder="Find a member"
        aria-label="Find a member"
        value={filter.text}
        onChange={(event) => setFilter({ ...filter, text: event.target.value })}
      />
      <select
        aria-label="State"
        value={filter.mark}
        onChange={(event) => {
          const mark = [...marks, "all" as const].find((each) => each === event.target.value);
          setFilter({ ...filter, mark: mark ?? "all" });
        }}
      >
        <option value="all">Every state</option>
        {marks.map((mark) => (
          <option key={mark} value={mark}>
            {markText[mark]}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={filter.order}
        onChange={(event) => {
          // The options are the keys of `orders`.
          setFilter({ ...filter, order: event.target.value as Order });
        }}
      >
        {Object.entries(orders).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The lead and the team, above the members. */
function RootRows({ chosen, onChoose }: RosterProps) {
  const { facts } = useSession();
  const lead = useShown(
    ({ session }) => ({
      kind: session.config?.lead ?? "none",
      turn: facts.lead(session.lead.snapshot).turn,
      unread: session.lead.unread.length,
    }),
    same,
  );
  const team = useShown(
    ({ session }) =>
      session.team === null ? null : { token: session.team.token, state: facts.team(session.team.snapshot) },
    same,
  );
  const phase = useShown(({ session: { snapshot } }) =>
    snapshot.value === "closed" ? "closed" : snapshot.matches({ opened: "owned" }) ? "open" : "no owner",
  );
  return (
    <div className="root-rows" role="group" aria-label="Session, lead and team">
      <RootRow
        name="Lead"
        mark={lead.kind === "none" ? "cancelled" : leadMark(lead.turn)}
        text={lead.kind === "none" ? "no lead: the host leads" : words(lead.turn)}
        unread={lead.unread}
        isChosen={chosen === "lead"}
        onChoose={onChoose}
      />
      {team !== null && (
        <RootRow
          name="Team"
          mark={teamMark(team.state)}
          text={words(team.state)}
          unread={0}
          isChosen={chosen === team.token}
          onChoose={onChoose}
        />
      )}
      <RootRow
        name="session"
        mark={phase === "closed" ? "cancelled" : phase === "open" ? "in_progress" : "blocked"}
        text={phase}
        unread={0}
        isChosen={chosen === "session"}
        onChoose={onChoose}
      />
    </div>
  );
}

const same = (a: object | null, b: object | null): boolean => JSON.stringify(a) === JSON.stringify(b);

function RootRow({
  name,
  mark,
  text,
  unread,
  isChosen,
  onChoose,
}: {
  readonly name: string;
  readonly mark: Mark;
  readonly text: string;
  readonly unread: number;
  readonly isChosen: boolean;
  readonly onChoose: (name: string) => void;
}) {
  return (
    <button type="button" className="root-row" aria-pressed={isChosen} onClick={() => onChoose(name)}>
      <StateMark state={mark} label={null} />
      <span className="row-name">{name}</span>
      <span className="dim row-text">{text}</span>
      {unread > 0 && (
        <span className="count" title={`${unread} unread`}>
          {unread}
        </span>
      )}
    </button>
  );
}
