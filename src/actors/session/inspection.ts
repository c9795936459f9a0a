import type { Observable } from "rxjs";
import { sessionKeyText } from "../../bus/bus.ts";
import { SessionHistory, type HistoryOptions, type HistorySource } from "../history/session-history.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import { textStream, type TextPiece } from "../runs/text-stream.ts";
import { UserCommands } from "../commands/user-commands.ts";

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

  /** Whether somebody has the session open, here or elsewhere: only then a command of the user is carried out. */
  async hasOwner(): Promise<boolean> {
    const { bus, namespace, config } = this.#runtime.options;
    if (bus.kind === "memory") return !this.#runtime.owner.isClosed;
    return (await bus.claims.holder(sessionKeyText({ namespace, session: config.session }))) !== null;
  }

  /** Holds from now on what the session does, so that it can be read from any place. Close it when nobody will. */
  history(options: HistoryOptions = {}): SessionHistory {
    return new SessionHistory(this.#runtime, { ...options, ...this.#source });
  }
}
