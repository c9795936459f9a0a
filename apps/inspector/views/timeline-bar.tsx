import { useEffect, useState } from "react";
import { StepIcon, type StepSign } from "../parts/step-icons.tsx";
import { countText, timeText } from "../parts/format.ts";
import { useSession, useShown } from "../session-context.ts";

/** The whole log as a line: drag, or step to and fro. */
export function TimelineBar({ isLive }: { readonly isLive: boolean }) {
  const { model, seek } = useSession();
  const { position, length, atHead, session } = useShown((shown) => shown);
  const [plays, setPlays] = useState(false);
  const isPlaying = plays && !atHead;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => seek(model.timeline.position + 1), 250);
    return () => clearInterval(timer);
  }, [isPlaying, model, seek]);
  const entry = model.timeline.entryAt(position);
  return (
    <footer className="timeline" aria-label="Timeline">
      <div className="timeline-steps" role="group" aria-label="Steps">
        <Step label="To the start" sign="first" disabled={position === 0} onClick={() => seek(0)} />
        <Step label="One input back" sign="back" disabled={position === 0} onClick={() => seek(position - 1)} />
        <Step
          label={isPlaying ? "Pause" : "Play from here"}
          sign={isPlaying ? "pause" : "play"}
          disabled={atHead && length === 0}
          onClick={() => {
            if (atHead) seek(0);
            setPlays(!isPlaying);
          }}
        />
        <Step label="One input on" sign="on" disabled={atHead} onClick={() => seek(position + 1)} />
        <Step
          label={isLive ? "To what happens now" : "To the end"}
          sign="last"
          disabled={atHead}
          onClick={() => seek(length)}
        />
      </div>
      <input
        className="timeline-slider"
        type="range"
        min={0}
        max={Math.max(1, length)}
        value={length === 0 ? 0 : position}
        disabled={length === 0}
        aria-label="Place on the timeline"
        aria-valuetext={`Input ${position} of ${length}${entry === undefined ? "" : `, ${entry.record.input.event.type}`}`}
        onChange={(event) => seek(Number(event.target.value))}
      />
      <output className="timeline-text mono">
        <span>
          {countText(position)} / {countText(length)}
        </span>
        <span className="dim timeline-at">{session.seq === 0 ? "" : `#${session.seq} · ${timeText(session.at)}`}</span>
        <span className="timeline-event" title={entry?.record.input.event.type}>
          {entry?.record.input.event.type ?? ""}
        </span>
      </output>
    </footer>
  );
}

function Step({
  label,
  sign,
  disabled,
  onClick,
}: {
  readonly label: string;
  readonly sign: StepSign;
  readonly disabled: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="button icon-button"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <StepIcon sign={sign} />
    </button>
  );
}
