import type { EventLine, ResultLine } from "../../index.ts";
import type { Attendant } from "./attendant.ts";

/** What shows a session while it runs. */
export interface SessionView {
  readonly attendant: Attendant;
  /** Takes in an applied event. */
  event(line: EventLine): void;
  /** Says something that is no event. */
  notice(sentence: string): void;
  /** Shows how it ended. */
  result(line: ResultLine): void | Promise<void>;
  /** Ends the showing; called once, also after a fault. */
  close(): Promise<void>;
}
