import { marks, markText, memberMark, teamMark, words, type Mark } from "../fold/actors.ts";
import { TeamActions } from "../control/team-actions.tsx";
import { countText } from "../parts/format.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { ThemeButton } from "../parts/theme-button.tsx";
import { useSession, useShown } from "../session-context.ts";
import { ExportMenu } from "./export-menu.tsx";
import type { LayoutProps } from "./layout-props.ts";

/** Which session this is, how it stands, where the log comes from, and what can be done with the whole. */
export function SessionHeader(props: LayoutProps & { readonly onPermissions: () => void }) {
  const { source, theme, setTheme, onLeave, onPermissions } = props;
  const { model, facts, command } = useSession();
  const team = useShown(
    ({ session }) =>
      session.team === null ? null : { name: session.team.name, state: facts.team(session.team.snapshot) },
    (a, b) => a?.name === b?.name && a?.state === b?.state,
  );
  const requests = useShown(({ session }) => session.requests.length);
  return (
    <header className="session-header">
      {onLeave !== null && (
        <button type="button" className="button" onClick={onLeave}>
          {source.kind === "live" ? "Sessions" : "Close"}
        </button>
      )}
      <div className="session-title">
        <h1 title={model.name}>{team?.name ?? model.name}</h1>
        <span className="dim session-name" title={model.name}>
          {team === null ? (
            "no team yet"
          ) : (
            <>
              <StateMark state={teamMark(team.state)} label={null} /> {words(team.state)} ·{" "}
              {source.kind === "file" ? source.name : model.name}
            </>
          )}
        </span>
      </div>
      <Counts />
      <span className="spread" />
      {requests > 0 && (
        <button type="button" className="button urgent-button" onClick={onPermissions}>
          {requests === 1 ? "1 request waits" : `${requests} requests wait`}
        </button>
      )}
      <ModeBadge {...props} />
      {command !== null && <TeamActions />}
      <ExportMenu source={source} />
      <ThemeButton theme={theme} setTheme={setTheme} />
    </header>
  );
}

/** How many members are in which state; at the same time the legend of all views. */
function Counts() {
  const { facts } = useSession();
  const counts = useShown(
    ({ session }) => {
      const found: Record<Mark, number> = { blocked: 0, in_progress: 0, completed: 0, failed: 0, cancelled: 0 };
      for (const member of session.members.values()) found[memberMark(member, facts)]++;
      return found;
    },
    (a, b) => marks.every((mark) => a[mark] === b[mark]),
  );
  return (
    <ul className="counts" aria-label="Members by state">
      {marks.map((mark) => (
        <li key={mark} className={counts[mark] === 0 ? "none" : ""} title={`${markText[mark]}: ${counts[mark]}`}>
          <StateMark state={mark} label={null} />
          <span className="count-number">{countText(counts[mark])}</span>
          <span className="count-text">{markText[mark].toLowerCase()}</span>
        </li>
      ))}
    </ul>
  );
}

/** The mode in a word: where the log comes from, and whether its end is shown. */
function ModeBadge({ source, mode, following }: LayoutProps) {
  const { model, seek } = useSession();
  // Drawn anew with every publish, which is when these change.
  useShown(({ length }) => length);
  const state = following?.state() ?? { behind: 0, coalesced: 0 };
  // The machine has these and no others.
  const where = mode.value.source as string;
  const text =
    {
      loading: "Loading",
      live: "Live",
      reconnecting: "Reconnecting",
      offline: "Recording",
      ended: source.kind === "live" && source.info.bus === "recording" ? "Recording" : "Closed",
      failed: "Failed",
    }[where] ?? where;
  const isPast = mode.matches({ position: "replay" });
  const details = `${countText(state.coalesced)} records were folded between two drawings; ${countText(model.tokens.dropped)} pieces of live text were left out.`;
  return (
    <span className="mode" role="status">
      {state.coalesced > 0 && where === "live" && (
        <span className="dim mode-coalesced" title={details}>
          {countText(state.coalesced)} coalesced
        </span>
      )}
      {isPast ? (
        <button
          type="button"
          className={`mode-badge mode-replay mode-${where}`}
          onClick={() => seek(model.timeline.length)}
          title={`An earlier place is shown. Go to ${where === "live" ? "what happens now" : "the end of the log"}.`}
        >
          <span className="mode-dot" aria-hidden="true" />
          Replay
        </button>
      ) : (
        <span
          className={`mode-badge mode-${where}`}
          title={state.coalesced > 0 || model.tokens.dropped > 0 ? details : undefined}
        >
          <span className="mode-dot" aria-hidden="true" />
          {text}
          {state.behind > 200 && <span className="dim"> {countText(state.behind)} behind</span>}
        </span>
      )}
    </span>
  );
}
