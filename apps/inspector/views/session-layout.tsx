import { useState } from "react";
import { displayName } from "teamchart/machines";
import type { Violation } from "teamchart/protocol";
import { actorByName, type ActorRef } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { Tabs, type Tab } from "../parts/tabs.tsx";
import { useSession, useShown } from "../session-context.ts";
import { ActorPanel } from "./actor-panel.tsx";
import { ChartView } from "./chart-view.tsx";
import type { LayoutProps } from "./layout-props.ts";
import { LogView } from "./log-view.tsx";
import { MapView } from "./map-view.tsx";
import { MessagesView } from "./messages-view.tsx";
import { PermissionsView } from "./permissions-view.tsx";
import { RosterView } from "./roster-view.tsx";
import { SessionHeader } from "./session-header.tsx";
import { TasksView } from "./tasks-view.tsx";
import { TimelineBar } from "./timeline-bar.tsx";

const views = ["map", "chart", "tasks", "log", "messages", "permissions"] as const;
type View = (typeof views)[number];
/** What a narrow screen shows: one pane at a time. */
type Pane = "roster" | "center" | "actor";

const isView = (value: string | null): value is View => views.some((each) => each === value);

/** The page of one session: roster, a view of the whole, the chosen actor, and the timeline. */
export function SessionLayout(props: LayoutProps) {
  const { place, go } = useSession();
  const [pane, setPane] = useState<Pane>("center");
  const actor = useActor();
  const view = isView(place.view) ? place.view : "map";
  const choose = (name: string): void => {
    go({ actor: name });
    setPane("actor");
  };
  return (
    <div className="session" data-pane={pane}>
      <SessionHeader
        {...props}
        onPermissions={() => {
          go({ view: "permissions" });
          setPane("center");
        }}
      />
      <Banner {...props} />
      <PaneSwitch pane={pane} onSelect={setPane} actor={actor?.name ?? null} />
      <main className="panes">
        <section className="pane pane-roster" aria-label="Members">
          <RosterView chosen={actor?.token ?? null} onChoose={choose} />
        </section>
        <section className="pane pane-center" aria-label="Views">
          <CenterTabs view={view} />
          <div className="view" id="view" role="tabpanel" aria-labelledby={`view-tab-${view}`}>
            <CenterView
              view={view}
              actor={actor}
              onChoose={choose}
              isLoading={props.mode.matches({ source: "loading" })}
              hasFailed={props.mode.matches({ source: "failed" })}
            />
          </div>
        </section>
        <section className="pane pane-actor" aria-label="Chosen actor">
          <ActorPanel actor={actor} onChoose={choose} />
        </section>
      </main>
      <TimelineBar isLive={props.mode.matches({ source: "live" })} />
    </div>
  );
}

/** The actor that is looked at: the one of the address; nobody named means the team, and before there is one the lead. */
function useActor(): ActorRef | null {
  const { place } = useSession();
  return useShown(
    ({ session }) =>
      place.actor === null
        ? (actorByName(session, "Team") ?? actorByName(session, "Lead"))
        : actorByName(session, place.actor),
    (a, b) => a?.token === b?.token && a?.name === b?.name,
  );
}

function CenterTabs({ view }: { readonly view: View }) {
  const { go } = useSession();
  const requests = useShown(({ session }) => session.requests.length);
  const tasks = useShown(({ session }) => session.team?.board?.unfinished ?? 0);
  const tabs: readonly Tab<View>[] = [
    { id: "map", label: "Team" },
    { id: "chart", label: "Statechart" },
    { id: "tasks", label: "Tasks", count: tasks },
    { id: "log", label: "Events" },
    { id: "messages", label: "Messages" },
    { id: "permissions", label: "Permissions", count: requests, urgent: true },
  ];
  return <Tabs label="Views" tabs={tabs} current={view} onSelect={(id) => go({ view: id })} panel="view" />;
}

function CenterView({
  view,
  actor,
  onChoose,
  isLoading,
  hasFailed,
}: {
  readonly view: View;
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
}) {
  const isEmpty = useShown(({ length, session }) => length === 0 && session.seq === 0);
  if (hasFailed && isEmpty)
    return (
      <Empty title="Nothing can be shown">The reason stands above. Whatever is listed here beside it is empty.</Empty>
    );
  if (isLoading && isEmpty) return <Empty kind="loading" title="Loading the log…" />;
  if (view === "chart") return <ChartView actor={actor} onChoose={onChoose} />;
  if (view === "log") return <LogView actor={actor} onChoose={onChoose} />;
  if (view === "tasks") return <TasksView actor={actor} onChoose={onChoose} />;
  if (view === "messages") return <MessagesView actor={actor} onChoose={onChoose} />;
  if (view === "permissions") return <PermissionsView onChoose={onChoose} />;
  return <MapView chosen={actor?.token ?? null} onChoose={onChoose} />;
}

function PaneSwitch({
  pane,
  onSelect,
  actor,
}: {
  readonly pane: Pane;
  readonly onSelect: (pane: Pane) => void;
  readonly actor: string | null;
}) {
  const panes: readonly (readonly [Pane, string])[] = [
    ["roster", "Members"],
    ["center", "Views"],
    ["actor", actor ?? "Actor"],
  ];
  return (
    <nav className="pane-switch" aria-label="Panes">
      {panes.map(([id, label]) => (
        <button key={id} type="button" aria-pressed={pane === id} onClick={() => onSelect(id)}>
          {label}
        </button>
      ))}
    </nav>
  );
}

/** What people must know of where this comes from. */
function Banner({ source, mode, following }: LayoutProps) {
  const { model } = useSession();
  const differences = useShown(() => model.actors.differences.length);
  const violation = useShown(() => model.violation);
  const dropped = useShown(() => model.timeline.dropped);
  const baseSeq = useShown(() => model.timeline.baseSeq);
  const { message, code } = mode.context;
  return (
    <div className="banners">
      {mode.matches({ source: "reconnecting" }) && (
        <p className="notice notice-warn banner" role="alert">
          {message} What is shown is how it stood then; the page asks again by itself.
          <button type="button" className="link" onClick={() => following?.retry()}>
            Ask now
          </button>
        </p>
      )}
      {mode.matches({ source: "failed" }) && (
        <p className="notice notice-error banner" role="alert">
          {code === "unknown_session" ? "The service has no such session, or it is not yours to see." : message}
        </p>
      )}
      {source.kind === "file" && source.session.broken !== null && (
        <p className="notice notice-warn banner">{source.session.broken} All before it is shown.</p>
      )}
      {violation !== null && <ViolationBanner {...violation} />}
      {differences > 0 && <DifferenceBanner count={differences} />}
      {dropped === 0 && baseSeq > 0 && (
        <p className="notice banner">
          <span className="mono">log_trimmed</span>: what this session did up to #{baseSeq} is no longer held. How it
          stood then is known, and the timeline begins there.
        </p>
      )}
      {dropped > 0 && (
        <p className="notice banner">
          The timeline begins later than the session: its first {dropped} inputs were let go to save memory. An export
          has them all.
        </p>
      )}
    </div>
  );
}

/** What a counterexample shows, and the way to the step that does. */
function ViolationBanner({ property, problem }: Violation) {
  const { model, seek, go } = useSession();
  const show = (): void => {
    const { entries, head, length } = model.timeline;
    const last = entries.at(-1)?.record.input;
    seek(length);
    go({ view: "log", ...(last && { actor: displayName(head, (token) => head.members.get(token), last.actor) }) });
  };
  return (
    <p className="notice notice-error banner wrap" role="note">
      A counterexample: its last step violates <strong>{property}</strong>: {problem}.
      <button type="button" className="link" onClick={show}>
        Go to that step
      </button>
    </p>
  );
}

function DifferenceBanner({ count }: { readonly count: number }) {
  const { model, seek, go } = useSession();
  const [first] = model.actors.differences;
  const entry = first === undefined ? undefined : model.timeline.entries[first];
  return (
    <p className="notice notice-warn banner" role="alert">
      {count === 1 ? "One input was" : `${count} inputs were`} recorded otherwise than these machines make of{" "}
      {count === 1 ? "it" : "them"}: {entry?.difference ?? ""}.
      <button
        type="button"
        className="link"
        onClick={() => {
          seek((first ?? 0) + 1);
          go({ view: "log" });
        }}
      >
        Go to the first
      </button>
    </p>
  );
}
