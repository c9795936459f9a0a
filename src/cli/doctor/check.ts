/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `missing` = something cannot be done; `absent` = fine without it; `warning` = it works, and is a danger. */
  readonly state: "ok" | "absent" | "warning" | "missing";
  readonly text: string;
  /** The exact next command or step, when there is something to do. */
  readonly next: string | null;
}
