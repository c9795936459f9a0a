import type { Redactor } from "../actors/recording/redactor.ts";
import type { Session } from "../actors/session/session.ts";
import { callGuarded } from "../protocol/call-guarded.ts";
import type { ServiceOptions } from "./service-options.ts";

/** Logs every applied event of a session from now on. Without a log nothing is made and nothing followed. */
export function followLog(
  log: ServiceOptions["log"],
  onFault: (fault: unknown) => void,
  redactor: Redactor,
): (session: Session) => void {
  if (log === undefined) return () => {};
  const write = callGuarded(log, onFault);
  return (session) => {
    session.events$.subscribe(({ type: _type, event, ...place }) => {
      const { type, ...fields } = redactor.steering(event);
      write({ level: "debug", message: type, session: session.id, ...place, event: fields });
    });
  };
}
