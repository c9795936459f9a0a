import { map, type Observable } from "rxjs";
import type { SessionRuntime } from "./session-runtime.ts";

/** A piece of what a model says, as it came. */
export interface TextPiece {
  /** Display name of who says it. */
  readonly actor: string;
  /** Number of its run. */
  readonly run: number;
  readonly text: string;
}

/** The topic of a session's texts. */
export const textTopic = (namespace: string, session: string): string => `${namespace}.${session}.text`;

/** Texts of a session's models as they come. A subscriber that throws ends nothing. */
export const textStream = ({ options }: SessionRuntime): Observable<TextPiece> =>
  options.bus.signals
    .follow(textTopic(options.namespace, options.config.session))
    // Only sessions publish there, and this is what they publish.
    .pipe(map(({ value }) => value as TextPiece));
