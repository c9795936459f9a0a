import type { Subscription } from "rxjs";
import { createRecorder } from "../../actors/recorder.ts";
import { openRecordingFile } from "../../actors/recording-file.ts";
import type { Redactor } from "../../actors/redactor.ts";
import { isTeamError, type ResultLine, type Session } from "../../index.ts";

/** The recording of one session, or nothing when none was asked for. */
export interface Recording {
  /** Writes down everything that happens from now on; the session must not have begun. */
  follow(session: Session): void;
  result(line: ResultLine): void;
  /** Writes what ended the session instead of a result. */
  error(error: unknown): void;
  /** Resolves when everything is in the file. */
  close(): Promise<void>;
}

const noRecording: Recording = { follow: () => {}, result: () => {}, error: () => {}, close: () => Promise.resolve() };

/** Opens the file of a recording, before anything is started; one that cannot be written is `bad_file`. */
export async function openRecording(
  path: string | null,
  session: string,
  { redactor, onFault }: { readonly redactor: Redactor; readonly onFault: (fault: unknown) => void },
): Promise<Recording> {
  if (path === null) return noRecording;
  const recorder = createRecorder({ session, sink: await openRecordingFile(path), redactor, onFault });
  let records: Subscription | null = null;
  // What comes behind the end of a recording is no part of it, such as the closing of the session.
  const end = (): void => records?.unsubscribe();
  return {
    follow(opened) {
      records = opened.records$.subscribe(({ stored, plan, applied }) => {
        const { seq, input, body } = stored;
        // A full disk cache holds nobody up: what waits for it is kept in memory.
        recorder
          .record(opened.state, applied, { seq, input, ...(plan === undefined ? {} : { plan }) }, body)
          ?.catch(onFault);
      });
    },
    result(line) {
      end();
      recorder.result(line);
    },
    error(error) {
      end();
      if (isTeamError(error)) {
        const { type, code, message, data } = error.toJSON();
        recorder.error({ type, code, message, data: { ...data } });
      }
    },
    close() {
      end();
      return recorder.close();
    },
  };
}
