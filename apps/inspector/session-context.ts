import { useSelector } from "@xstate/react";
import { createContext, use, useSyncExternalStore } from "react";
import type { FactReader } from "teamchart/machines";
import type { BodyRef } from "teamchart/protocol";
import type { ChartLayouts } from "./chart/chart-layouts.ts";
import type { Place } from "./feed/address.ts";
import type { Body } from "./fold/bodies.ts";
import type { SessionModel } from "./fold/session-model.ts";
import type { Shown } from "./fold/timeline.ts";
import type { Go } from "./use-place.ts";

/** Sends a command below the session, such as `members/Ann/cancel`; rejects with an `ApiError`. */
export type SendCommand = (path: string, body: unknown) => Promise<unknown>;

/** What every view of a session works with. */
export interface SessionContextValue {
  readonly model: SessionModel;
  readonly facts: FactReader;
  readonly layouts: ChartLayouts;
  readonly place: Place;
  readonly go: Go;
  /** Null where the page may only look. */
  readonly command: SendCommand | null;
  /** Shows the place after an entry: from here on one looks back. */
  readonly seek: (position: number) => void;
  /** Difference between the service's clock and this one's, ms; null where no record will come any more. */
  readonly skewMs: number | null;
}

/** The session that a view belongs to. */
export const SessionContext = createContext<SessionContextValue | null>(null);

/** The session that the view belongs to. */
export function useSession(): SessionContextValue {
  const value = use(SessionContext);
  if (value === null) throw new Error("a view of a session stands outside of one");
  return value;
}

/** Reads what is shown of the session; the view is drawn anew when what it reads changes. */
export function useShown<Value>(select: (shown: Shown) => Value, compare?: (a: Value, b: Value) => boolean): Value {
  return useSelector(useSession().model.timeline, select, compare);
}

const nothing: Body = { state: "missing", why: "There is no text." };

/** A body, fetched when it isn't here. */
export function useBody(ref: BodyRef | null): Body {
  const { bodies } = useSession().model;
  return useSyncExternalStore(
    (observer) => bodies.subscribe(observer),
    () => (ref === null ? nothing : bodies.get(ref.digest)),
  );
}
