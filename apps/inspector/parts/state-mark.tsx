import { markText, type Mark } from "../fold/actors.ts";

const shapes: Readonly<Record<Mark, React.ReactNode>> = {
  blocked: <circle cx="7" cy="7" r="5" className="mark-line" strokeDasharray="2.6 2.2" />,
  in_progress: (
    <>
      <circle cx="7" cy="7" r="5" className="mark-line" />
      <path d="M7 2a5 5 0 0 1 0 10z" className="mark-fill" />
    </>
  ),
  completed: (
    <>
      <circle cx="7" cy="7" r="6" className="mark-fill" />
      <path d="M4.2 7.2 6.2 9.2 9.9 5" className="mark-cut" />
    </>
  ),
  failed: (
    <>
      <path d="M7 .8 13.2 7 7 13.2.8 7z" className="mark-fill" />
      <path d="M7 3.8v4M7 9.6v.6" className="mark-cut" />
    </>
  ),
  cancelled: (
    <>
      <circle cx="7" cy="7" r="5" className="mark-line" />
      <path d="M3.6 10.4 10.4 3.6" className="mark-line" />
    </>
  ),
};

/** A state as a sign: its shape says it as well as its colour. `label` null = the text beside it says it. */
export function StateMark({
  state,
  label = markText[state],
}: {
  readonly state: Mark;
  readonly label?: string | null;
}) {
  const named = label === null ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className={`state-mark state-${state}`} viewBox="0 0 14 14" width="14" height="14" {...named}>
      {shapes[state]}
    </svg>
  );
}
