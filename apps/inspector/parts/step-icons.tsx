const paths = {
  first: "M3 3v10M13 3 6 8l7 5z",
  back: "M11 3 4 8l7 5z",
  play: "M5 3l8 5-8 5z",
  pause: "M5.5 3v10M10.5 3v10",
  on: "M4 3l6 5-6 5zM12.5 3v10",
  last: "M3 3l7 5-7 5zM13 3v10",
} as const;

/** What a button of the timeline does, as a sign. */
export type StepSign = keyof typeof paths;

/** A sign of the timeline. */
export function StepIcon({ sign }: { readonly sign: StepSign }) {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={paths[sign]} fill="currentColor" stroke="currentColor" strokeWidth="1.8" strokeLinejoin="round" />
    </svg>
  );
}
