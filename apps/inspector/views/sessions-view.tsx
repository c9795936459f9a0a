import { useEffect, useState } from "react";
import type { ServiceInfo, SessionSummary } from "teamchart/protocol";
import type { FileState } from "../feed/file-state.ts";
import type { Place } from "../feed/address.ts";
import type { Api } from "../feed/api.ts";
import { leadMark, teamMark, words } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { FileButton } from "../parts/file-button.tsx";
import { countText, spanText } from "../parts/format.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { ThemeButton } from "../parts/theme-button.tsx";
import { useNow } from "../use-now.ts";
import type { Go } from "../use-place.ts";
import type { Theme } from "../use-theme.ts";
import { FileProgress } from "./start-view.tsx";

interface SessionsProps {
  readonly api: Api;
  readonly info: ServiceInfo;
  readonly place: Place;
  readonly go: Go;
  readonly onFile: (file: File) => void;
  readonly file: FileState;
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
}

/** The sessions of a service, those that moved last at the top. */
export function SessionsView({ api, info, place, go, onFile, file, theme, setTheme }: SessionsProps) {
  const { sessions, problem } = useSessions(api);
  const now = useNow();
  const only = sessions?.length === 1 && place.view !== "sessions" ? sessions[0] : undefined;
  useEffect(() => {
    // Of one session there is nothing to choose.
    if (only !== undefined) go({ session: only.id }, { replace: true });
  }, [only, go]);
  return (
    <main className="sessions">
      <header className="page-header">
        <h1>Sessions</h1>
        <span className="dim">
          Teamchart {info.version}, {info.bus} bus, {info.control ? "control" : "read-only"}
        </span>
        <span className="spread" />
        <FileButton onFile={onFile} />
        <ThemeButton theme={theme} setTheme={setTheme} />
      </header>
      <FileProgress file={file} />
      {problem !== null && (
        <p className="notice notice-warn" role="alert">
          {problem} The list below may be old.
        </p>
      )}
      {sessions === null ? (
        <Empty kind="loading" title="Loading the sessions…" />
      ) : sessions.length === 0 ? (
        <Empty title="There is no session yet">
          One appears here as soon as it is opened: by <code>teamchart run FILE</code>, or by{" "}
          <code>system.openSession()</code> in your code.
        </Empty>
      ) : (
        <SessionTable sessions={sessions} now={now} />
      )}
    </main>
  );
}

function SessionTable({ sessions, now }: { readonly sessions: readonly SessionSummary[]; readonly now: number }) {
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Session</th>
            <th scope="col">Team</th>
            <th scope="col">Lead</th>
            <th scope="col" className="number">
              Members
            </th>
            <th scope="col" className="number">
              Waiting for you
            </th>
            <th scope="col" className="number">
              Unread
            </th>
            <th scope="col" className="number">
              Last change
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SessionRow({ session, now }: { readonly session: SessionSummary; readonly now: number }) {
  const { id, state, team, lead, pendingRequests, unread, updatedAt } = session;
  return (
    <tr>
      <td>
        <a href={`#session=${encodeURIComponent(id)}`}>{id}</a>{" "}
        {state === "closed" && <span className="tag">closed</span>}
      </td>
      <td>
        {team === null ? (
          <span className="dim">no team</span>
        ) : (
          <>
            <StateMark state={teamMark(team.state)} label={null} /> {team.name}{" "}
            <span className="dim">{words(team.state)}</span>
          </>
        )}
      </td>
      <td>
        {lead.kind === "none" ? (
          <span className="dim">none</span>
        ) : (
          <>
            <StateMark state={leadMark(lead.status)} label={null} /> {words(lead.status)}
          </>
        )}
      </td>
      <td className="number">{team === null ? "" : countText(team.members)}</td>
      <td className="number">{pendingRequests > 0 ? <span className="count urgent">{pendingRequests}</span> : ""}</td>
      <td className="number">{unread > 0 ? countText(unread) : ""}</td>
      <td className="number">{spanText(now - updatedAt)} ago</td>
    </tr>
  );
}

const everyMs = 2_000;

function useSessions(api: Api) {
  const [sessions, setSessions] = useState<readonly SessionSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const stopped = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const found = await api.sessions(stopped.signal);
        setSessions(found.toSorted((a, b) => b.updatedAt - a.updatedAt));
        setProblem(null);
      } catch (fault) {
        if (!stopped.signal.aborted) setProblem(fault instanceof Error ? fault.message : String(fault));
      }
    };
    const again = (): void => {
      // `ask` tells of its faults by the state.
      ask().catch(() => {});
    };
    again();
    const timer = setInterval(again, everyMs);
    return () => {
      stopped.abort();
      clearInterval(timer);
    };
  }, [api]);
  return { sessions, problem };
}
