import type { Observable } from "rxjs";
import { SessionHistory, type HistoryOptions, type HistorySource } from "./history/session-history.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import { textStream, type TextPiece } from "./text-stream.ts";
import { UserCommands } from "./user-commands.ts";

/** What somebody needs who looks at a session from outside, such as the inspector. */
export class Inspection {
  /** Texts of models as they come, for whoever listens now; nothing of them is kept. */
  readonly texts$: Observable<TextPiece>;
  /** What the user may do: as the commands of the session, but always in the user's name. */
  readonly commands: UserCommands;
  readonly #runtime: SessionRuntime;
  readonly #source: HistorySource;

  constructor(runtime: SessionRuntime, source: HistorySource) {
    this.#runtime = runtime;
    this.#source = source;
    this.texts$ = textStream(runtime);
    this.commands = new UserCommands(runtime);
  }

  /** Holds from now on what the session does, so that it can be read from any place. Close it when nobody will. */
  history(options: HistoryOptions = {}): SessionHistory {
    return new SessionHistory(this.#runtime, { ...options, ...this.#source });
  }
}
