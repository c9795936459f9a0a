import type { CSSProperties } from "react";
import type { MemberStatus, TeamStatus } from "../protocol/status.ts";
import { memberWord, type MemberWord } from "./member-word.ts";
import type { TeamView } from "./team-view.ts";

/** What a card shows. */
export interface TeamCardProps {
  /** What `useTeam` returned. */
  readonly team: TeamView;
  /** Members that are listed; the others are counted. Default 50. */
  readonly membersMax?: number;
  /** Makes each name a button. */
  readonly onMember?: (name: string) => void;
  /** For your own style; each part has a class too: `teamchart-head`, `-member`, `-mark`, `-word`, `-more`, `-note`. */
  readonly className?: string;
}

/** Readable on white and on near black, since a card doesn't know what it stands on. Each sign differs without its colour. */
const marks: Readonly<Record<MemberWord["kind"], readonly [sign: string, colour: string]>> = {
  waiting: ["◌", "#9a6700"],
  working: ["◐", "#0969da"],
  resting: ["○", "#6e7781"],
  done: ["●", "#1a7f37"],
  failed: ["◆", "#d1242f"],
  cancelled: ["⊘", "#6e7781"],
};

const list: CSSProperties = { listStyle: "none", margin: 0, padding: 0 };
const row: CSSProperties = { display: "flex", gap: "0.5em", alignItems: "baseline", padding: "0.15em 0" };
const name: CSSProperties = { overflowWrap: "anywhere", minWidth: 0, font: "inherit" };
const link: CSSProperties = {
  ...name,
  background: "none",
  border: 0,
  padding: 0,
  color: "inherit",
  textAlign: "start",
  textDecoration: "underline",
  cursor: "pointer",
};
const more: CSSProperties = { ...name, opacity: 0.75, flex: 1 };
const note: CSSProperties = { margin: "0.25em 0", opacity: 0.75 };

/** A team in a few lines: its state, and each member with the one thing worth saying of it. */
export function TeamCard({ team: { phase, status, fault }, membersMax = 50, onMember, className }: TeamCardProps) {
  const label = status?.team ?? "Team";
  return (
    <section
      className={className === undefined ? "teamchart-card" : `teamchart-card ${className}`}
      aria-label={label}
      aria-busy={phase === "loading"}
      data-phase={phase}
    >
      {status === null ? null : <Head status={status} />}
      <p className="teamchart-note" role="status" style={{ ...note, ...(noteOf(phase, status) === "" ? hidden : {}) }}>
        {noteOf(phase, status)}
        {fault === null ? "" : `: ${fault.message}`}
      </p>
      {status === null ? null : <Members status={status} max={membersMax} onMember={onMember} />}
    </section>
  );
}

const hidden: CSSProperties = { display: "none" };

function noteOf(phase: TeamView["phase"], status: TeamStatus | null): string {
  if (phase === "loading") return "Loading…";
  if (phase === "stale") return "Not connected; this is how it was";
  if (phase === "failed") return status === null ? "Nothing to show" : "This is how it was last seen";
  return status?.team === null ? "There is no team yet." : "";
}

function Head({ status: { team, state, members, permissionRequests } }: { readonly status: TeamStatus }) {
  if (team === null) return null;
  const done = members.filter(({ status }) => status === "completed").length;
  const asked = permissionRequests.length;
  return (
    <p className="teamchart-head" style={{ margin: "0 0 0.25em", overflowWrap: "anywhere" }}>
      <strong>{team}</strong> {state}, {done} of {members.length} completed
      {asked === 0 ? "" : `, ${asked} ${asked === 1 ? "request waits" : "requests wait"} for an answer`}
    </p>
  );
}

function Members({
  status: { members },
  max,
  onMember,
}: {
  readonly status: TeamStatus;
  readonly max: number;
  readonly onMember: ((name: string) => void) | undefined;
}) {
  const others = members.length - max;
  return (
    <ul style={list}>
      {members.slice(0, max).map((member) => (
        <Member key={member.name} member={member} onMember={onMember} />
      ))}
      {others > 0 ? <li style={note}>and {others.toLocaleString("en")} more</li> : null}
    </ul>
  );
}

function Member({
  member,
  onMember,
}: {
  readonly member: MemberStatus;
  readonly onMember: ((name: string) => void) | undefined;
}) {
  const { kind, word, more: said } = memberWord(member);
  const [sign, color] = marks[kind];
  const mail = member.unread === 0 ? "" : `${member.unread} unread`;
  return (
    <li className="teamchart-member" data-kind={kind} style={row}>
      <span className="teamchart-mark" aria-hidden style={{ color }}>
        {sign}
      </span>
      {onMember === undefined ? (
        <span style={name}>{member.name}</span>
      ) : (
        <button type="button" style={link} onClick={() => onMember(member.name)}>
          {member.name}
        </button>
      )}
      <span className="teamchart-word">{word}</span>
      <span className="teamchart-more" style={more} title={said}>
        {[said, mail].filter((each) => each !== "").join("; ")}
      </span>
    </li>
  );
}
