import type { ReactNode } from "react";
import { membersInOrder, type MemberRecord } from "teamchart/machines";
import { MemberActions } from "../control/member-actions.tsx";
import { leadMark, memberMark, teamMark, words, type ActorRef } from "../fold/actors.ts";
import { rowOf } from "../fold/session-view.ts";
import { whyBlocked, type Unmet } from "../fold/why.ts";
import { bytesText, countText, placeText, timeText } from "../parts/format.ts";
import { LastedFor } from "../parts/lasted-for.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { useSession, useShown } from "../session-context.ts";
import { BodyText } from "./body-text.tsx";
import { ActorLink } from "./actor-link.tsx";

interface NowProps {
  readonly actor: ActorRef;
  readonly onChoose: (name: string) => void;
}

/** How an actor stands, and why. */
export function NowView({ actor, onChoose }: NowProps) {
  if (actor.kind === "member") return <MemberNow actor={actor} onChoose={onChoose} />;
  if (actor.kind === "lead") return <LeadNow />;
  return actor.kind === "team" ? <TeamNow onChoose={onChoose} /> : <SessionNow />;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function MemberNow({ actor, onChoose }: NowProps) {
  const { facts } = useSession();
  const shown = useShown((each) => each);
  const member = shown.session.members.get(actor.token);
  if (member === undefined) return null;
  const row = rowOf(shown.session, member, facts);
  const { attempt, run } = member.snapshot.context;
  return (
    <>
      <p className="headline">
        <StateMark state={row.status} label={null} /> <strong>{words(row.status)}</strong>
        {row.activity !== null && <span className="dim"> · {words(row.activity)}</span>} <LastedFor since={row.since} />
      </p>
      <WhyPanel member={member} onChoose={onChoose} />
      {row.reason !== undefined && <p className="notice notice-error wrap">{row.reason}</p>}
      {row.replacedBy !== undefined && (
        <p>
          Replaced by <ActorLink name={row.replacedBy} onChoose={onChoose} />.
        </p>
      )}
      <MemberActions member={member} />
      <dl className="facts">
        <Fact name="Presence">{words(row.presence)}</Fact>
        <Fact name="Since">{timeText(row.since)}</Fact>
        <Fact name="Attempt">
          {attempt}
          {run > 0 && <span className="dim"> · run {run}</span>}
        </Fact>
        <Fact name="Agent type">{row.agentType}</Fact>
        {row.worktree !== undefined && <Fact name="Worktree">{placeText(row.worktree)}</Fact>}
        <Fact name="Lifetime">{member.lifetime}</Fact>
        <Fact name="Unread">{row.unread === 0 ? "none" : `${row.unread} (${bytesText(member.unreadBytes)})`}</Fact>
        <Fact name="Used">
          {countText(row.tokens)} tokens, {countText(row.modelCalls)} model calls
        </Fact>
        <Fact name="Waits for">
          {row.dependsOn.length === 0 ? "nobody" : <Names names={row.dependsOn} onChoose={onChoose} />}
        </Fact>
        <Fact name="Waited for by">
          <Names
            names={member.downstream.flatMap((token) => shown.session.members.get(token)?.name ?? [])}
            onChoose={onChoose}
            none="nobody"
          />
        </Fact>
        {member.run.calls.length > 0 && (
          <Fact name="Open calls">
            <OpenCalls member={member} />
          </Fact>
        )}
      </dl>
      <MemberTexts member={member} />
    </>
  );
}

function MemberTexts({ member }: { readonly member: MemberRecord }) {
  return (
    <>
      {member.description !== null && (
        <>
          <h3>Description</h3>
          <p className="wrap">{member.description}</p>
        </>
      )}
      <h3>Task</h3>
      <p className="wrap task">{member.prompt}</p>
      {member.result !== null && (
        <>
          <h3>Result</h3>
          <BodyText body={member.result} field="summary" />
        </>
      )}
    </>
  );
}

const namesMax = 30;

function Names({
  names,
  onChoose,
  none = "",
}: {
  readonly names: readonly string[];
  readonly onChoose: (name: string) => void;
  readonly none?: string;
}) {
  if (names.length === 0) return none;
  return (
    <>
      {names.slice(0, namesMax).map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <ActorLink name={name} onChoose={onChoose} />
        </span>
      ))}
      {names.length > namesMax && <span className="dim"> and {names.length - namesMax} more</span>}
    </>
  );
}

/** The names of the tools whose calls have no end yet. */
function OpenCalls({ member }: { readonly member: MemberRecord }) {
  const { model } = useSession();
  const started = useShown(({ position }) => {
    const open = new Set(member.run.calls);
    const found: string[] = [];
    const own = model.actors.conversationOf(member.token);
    for (let at = own.length - 1; at >= 0 && found.length < open.size; at--) {
      const index = own[at] ?? 0;
      if (index >= position) continue;
      const event = model.timeline.entries[index]?.record.input.event;
      if (event?.type === "tool.started" && open.has(event.call)) found.push(event.tool);
    }
    return found.toReversed().join(", ");
  });
  return <span className="mono wrap">{started === "" ? `${member.run.calls.length}` : started}</span>;
}

/** Why a blocked member is blocked: whom it waits for, how that one stands, and what stands behind it. */
function WhyPanel({ member, onChoose }: { readonly member: MemberRecord; readonly onChoose: (name: string) => void }) {
  const { facts } = useSession();
  const session = useShown((shown) => shown.session);
  const why = whyBlocked(session, member, facts);
  if (why === null) return null;
  return (
    <section className="why" aria-label={`Why ${member.name} is blocked`}>
      <h3>Why</h3>
      <p className="wrap">{why.sentence}</p>
      <UnmetList unmet={why.unmet} onChoose={onChoose} />
    </section>
  );
}

const unmetMax = 25;

interface UnmetProps {
  readonly unmet: readonly Unmet[];
  readonly onChoose: (name: string) => void;
}

function UnmetList({ unmet, onChoose }: UnmetProps) {
  return (
    <ul className="unmet">
      {unmet.slice(0, unmetMax).map((each) => (
        <li key={each.name}>
          <StateMark state={each.state} label={null} /> <ActorLink name={each.name} onChoose={onChoose} />{" "}
          <span className="dim">{words(each.activity ?? each.state)}</span> <LastedFor since={each.since} />
          {each.reason !== null && <p className="reason wrap">{each.reason}</p>}
          {each.waitsFor.length > 0 && <UnmetList unmet={each.waitsFor} onChoose={onChoose} />}
        </li>
      ))}
      {unmet.length > unmetMax && <li className="dim">and {unmet.length - unmetMax} more</li>}
    </ul>
  );
}

function LeadNow() {
  const { facts } = useSession();
  const { session } = useShown((each) => each);
  const { lead, config } = session;
  const { turn } = facts.lead(lead.snapshot);
  return (
    <>
      <p className="headline">
        <StateMark state={config?.lead === "none" ? "cancelled" : leadMark(turn)} label={null} />{" "}
        <strong>{config?.lead === "none" ? "no lead" : words(turn)}</strong>
      </p>
      {lead.failure !== null && <p className="notice notice-error wrap">Its last turn failed: {lead.failure}</p>}
      <dl className="facts">
        <Fact name="Kind">{config?.lead === "none" ? "none: the host leads" : (config?.lead ?? "not opened")}</Fact>
        <Fact name="Run">{lead.snapshot.context.run}</Fact>
        <Fact name="Unread">{lead.unread.length}</Fact>
        <Fact name="Used">
          {countText(lead.tokens)} tokens, {countText(lead.modelCalls)} model calls
        </Fact>
        <Fact name="Questions">{lead.questions.length === 0 ? "none" : lead.questions.length}</Fact>
      </dl>
      {lead.answer !== null && (
        <>
          <h3>Last answer</h3>
          <BodyText body={lead.answer} field="text" />
        </>
      )}
    </>
  );
}

function TeamNow({ onChoose }: { readonly onChoose: (name: string) => void }) {
  const { facts } = useSession();
  const { session } = useShown((each) => each);
  const { team, revision, pastTeams } = session;
  if (team === null) return null;
  const state = facts.team(team.snapshot);
  const failed = membersInOrder(session).filter((member) => memberMark(member, facts) === "failed");
  return (
    <>
      <p className="headline">
        <StateMark state={teamMark(state)} label={null} /> <strong>{words(state)}</strong>{" "}
        <LastedFor since={team.since} />
      </p>
      {state === "stalled" && (
        <p className="notice notice-warn">
          Nobody works and the team is not finished: somebody must replan or dissolve it.
        </p>
      )}
      {failed.length > 0 && (
        <>
          <h3>Failed</h3>
          <ul className="unmet">
            {failed.slice(0, unmetMax).map((member) => (
              <li key={member.token}>
                <StateMark state="failed" label={null} /> <ActorLink name={member.name} onChoose={onChoose} />
                <p className="reason wrap">{member.reason}</p>
              </li>
            ))}
          </ul>
        </>
      )}
      <dl className="facts">
        <Fact name="Name">{team.name}</Fact>
        <Fact name="Members">{countText(team.order.length)}</Fact>
        <Fact name="Revision">{revision}</Fact>
        <Fact name="Who writes to whom">{team.comms}</Fact>
        <Fact name="If one fails">
          {team.upstreamFailure === "block" ? "downstream stays blocked" : `downstream: ${team.upstreamFailure}`}
        </Fact>
        <Fact name="Earlier teams">
          {pastTeams.length === 0 ? "none" : pastTeams.map(({ name, outcome }) => `${name} (${outcome})`).join(", ")}
        </Fact>
      </dl>
      {team.description !== null && (
        <>
          <h3>Description</h3>
          <p className="wrap">{team.description}</p>
        </>
      )}
    </>
  );
}

function SessionNow() {
  const { model } = useSession();
  const { session } = useShown((each) => each);
  const { mail } = session;
  return (
    <dl className="facts">
      <Fact name="Session">{session.config?.session ?? model.name}</Fact>
      <Fact name="State">{JSON.stringify(session.snapshot.value).replaceAll(/[{}"]/g, "").replaceAll(":", ": ")}</Fact>
      <Fact name="Owner's epoch">{session.epoch}</Fact>
      <Fact name="Mail">
        {countText(mail.accepted)} accepted, {countText(mail.delivered)} delivered, {countText(mail.deadLettered)} dead
        letters, {countText(mail.refused)} refused
      </Fact>
      <Fact name="Open waits">{session.polls.length}</Fact>
      <Fact name="Agent types">{session.config?.agentTypes.map(({ name }) => name).join(", ") ?? ""}</Fact>
    </dl>
  );
}
