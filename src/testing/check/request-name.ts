import { displayName, type SessionState } from "../../machines/index.ts";
import { inMove } from "./move-name.ts";

/** A request in a trace: by who asks, with a number when that one has more than one. */
export function requestName(session: SessionState, id: string): string {
  const request = session.requests.find((each) => each.id === id);
  const own = session.requests.filter((each) => each.member === request?.member);
  const name =
    request === undefined ? "nobody" : displayName(session, (token) => session.members.get(token), request.member);
  const index = own.findIndex((each) => each.id === id);
  return index <= 0 ? `the request of ${inMove(name)}` : `request ${index + 1} of ${inMove(name)}`;
}
