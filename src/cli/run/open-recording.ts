import type { Subscription } from "rxjs";
import { createRecorder } from "../../actors/recording/recorder.ts";
import { openRecordingFile } from "../../actors/recording/recording-file.ts";
import type { Redactor } from "../../actors/recording/redactor.ts";
import { isTeamError, TeamError, type ResultLine, type Session } from "../../index.ts";

/** The recording of one session, or nothing when none was asked for. */
export interface Recording {
  /** Writes down everything that happens from now on; the session must not have begun. */
  follow(session: Session): void;
  result(line: ResultLine): void;
  /** Writes what ended the session instead of a result. */
  error(error: unknown): void;
  /** Resolves when everything is in the file, or with what ended the recording before its end. */
  close(): Promise<TeamError | null>;
}

const noRecording: Recording = {
  follow: () => {},
  result: () => {},
  error: () => {},
  close: () => Promise.resolve(null),
};

/** What ended a recording, as an error of its file. */
function fileError(path: string, fault: unknown): TeamError {
  if (isTeamError(fault, "bad_file")) return fault;
  const problem = `the recording ended before the session: ${fault instanceof Error ? fault.message : String(fault)}`;
  return new TeamError("bad_file", { file: path, problem }, { cause: fault });
}

/** Opens the file of a recording, before anything is started; one that cannot be written is `bad_file`. */
export async function openRecording(
  path: string | null,
  session: string,
  { redactor, onFault }: { readonly redactor: Redactor; readonly onFault: (fault: unknown) => void },
): Promise<Recording> {
  if (path === null) return noRecording;
  let failure: TeamError | null = null;
  const fail = (fault: unknown): void => {
    failure ??= fileError(path, fault);
    onFault(fault);
  };
  const recorder = createRecorder({ session, sink: await openRecordingFile(path), redactor, onFault: fail });
  let records: Subscription | null = null;
  // What comes behind the end of a recording is no part of it, such as the closing of the session.
  const end = (): void => records?.unsubscribe();
  return {
    follow(opened) {
      records = opened.records$.subscribe(({ stored, plan, applied }) => {
        const { seq, input, body } = stored;
        // A slow disk holds nobody up: what waits for it is kept in memory, up to the bound of the file.
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
    async close() {
      end();
      await recorder.close();
      return failure;
    },
  };
}
