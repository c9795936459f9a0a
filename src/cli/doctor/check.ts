/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `missing` = something cannot be done; `absent` = fine without it. */
  readonly state: "ok" | "absent" | "missing";
  readonly text: string;
  /** The exact next command or step, when there is something to do. */
  readonly next: string | null;
}
