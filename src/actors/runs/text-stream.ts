import { map, type Observable } from "rxjs";
import { LEAD } from "../../protocol/names.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";

/** A piece of what a model says, as it came. */
export interface TextPiece {
  /** Display name of who says it. */
  readonly actor: string;
  /** Number of its run. */
  readonly run: number;
  readonly text: string;
}

/** The topic of a session's texts. */
const textTopic = (namespace: string, session: string): string => `${namespace}.${session}.text`;

/** Publishes a piece of text for whoever listens now; nothing of it is kept. */
export function publishText({ options, state }: SessionRuntime, token: string, run: number, text: string): void {
  const { bus, namespace, config, onFault } = options;
  const value: TextPiece = { actor: state.members.get(token)?.name ?? LEAD, run, text };
  try {
    bus.signals.publish({ topic: textTopic(namespace, config.session), value });
  } catch (fault) {
    onFault(fault);
  }
}

/** Texts of a session's models as they come. A subscriber that throws ends nothing. */
export const textStream = ({ options }: SessionRuntime): Observable<TextPiece> =>
  options.bus.signals
    .follow(textTopic(options.namespace, options.config.session))
    // Only sessions publish there, and this is what they publish.
    .pipe(map(({ value }) => value as TextPiece));
