import type { Observable } from "rxjs";
import { GuardedObservable } from "../../bus/guarded-observable.ts";
import type { EventLine } from "../../protocol/recording.ts";
import { eventLines } from "../../machines/event-lines.ts";
import type { AppliedRecord } from "../owner/owner.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** A line for each input of a session and each post that followed, from now on. A subscriber that throws ends nothing. */
export const eventStream = (runtime: SessionRuntime): Observable<EventLine> =>
  new GuardedObservable<EventLine>(runtime.options.onFault, (subscriber) =>
    runtime.owner.records$.subscribe({
      next: ({ applied, stored }) => {
        const record = { seq: stored.seq, input: stored.input };
        for (const line of eventLines(runtime.state, applied, record)) subscriber.next(line);
      },
      complete: () => subscriber.complete(),
    }),
  );

/** Every applied input of a session, from now on. A subscriber that throws ends nothing. */
export const recordStream = ({ options, owner }: SessionRuntime): Observable<AppliedRecord> =>
  new GuardedObservable<AppliedRecord>(options.onFault, (subscriber) => owner.records$.subscribe(subscriber));
