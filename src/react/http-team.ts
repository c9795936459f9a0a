import type { TeamStatus } from "../protocol/status.ts";
import { Listeners, type TeamSource, type TeamView, type TeamViewFault } from "./team-view.ts";

/** A session of a service (`teamchart/service`), wherever that runs. */
export interface HttpTeamOptions {
  /**
   * Where the service is mounted: `/teamchart`, or an address as the command line prints it, with its `#token=`. Another origin
   * than the page's own must be let through by a proxy of yours: the service answers no foreign page.
   */
  readonly url: string;
  /** The session's id. */
  readonly session: string;
  /** Left out = the one behind `#token=` in `url`, or none, as behind a sign-in of your app. */
  readonly token?: string;
  /** For a request that needs more than that. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** How long the service is asked to wait for a change, in ms. It may answer sooner. */
const waitMs = 25_000;
/** The least time between two answers, in ms: a busy team is shown ten times a second. */
const paceMs = 100;
/** The same where the service doesn't wait, as for a session that is closed. */
const idlePaceMs = 3_000;
const retryMsMin = 500;
const retryMsMax = 10_000;

/** What the service said instead of a status. */
class Refusal extends Error {
  readonly fault: TeamViewFault;
  /** Whether the service itself refuses: what was known before is then no longer shown as its last word. */
  readonly isFinal: boolean;

  constructor(fault: TeamViewFault, isFinal: boolean) {
    super(fault.message);
    this.fault = fault;
    this.isFinal = isFinal;
  }
}

/** The team of a session of a service: asked for by long polling while somebody subscribes, again after every failure. */
export function httpTeam(options: HttpTeamOptions): TeamSource {
  let view: TeamView = { phase: "loading", status: null, fault: null };
  const show = (next: TeamView): void => {
    view = next;
    listeners.tell();
  };
  const listeners = new Listeners(() => {
    const stopped = new AbortController();
    const failed = ({ fault, isFinal }: Refusal): void =>
      show({ phase: isFinal || view.status === null ? "failed" : "stale", status: view.status, fault });
    follow(options, stopped.signal, {
      known: () => view.status,
      heard: (status) => show({ phase: "live", status, fault: null }),
      failed,
    }).catch((cause: unknown) => failed(new Refusal(unreachable(cause), true)));
    return () => stopped.abort();
  });
  return {
    get view() {
      return view;
    },
    subscribe: (listener) => listeners.add(listener),
  };
}

interface Watch {
  readonly known: () => TeamStatus | null;
  readonly heard: (status: TeamStatus) => void;
  readonly failed: (refusal: Refusal) => void;
}

async function follow(options: HttpTeamOptions, signal: AbortSignal, watch: Watch): Promise<void> {
  const ask = asker(options);
  // The first question waits for nothing: a version that was known before may be of another life of the session.
  let since: number | null = null;
  for (let failures = 0; !signal.aborted;) {
    const from = performance.now();
    let pauseMs: number;
    try {
      const status = await ask(since, signal);
      if (signal.aborted) return;
      const isNew = since === null || status.version !== watch.known()?.version;
      pauseMs = (isNew ? paceMs : idlePaceMs) - (performance.now() - from);
      since = status.version;
      failures = 0;
      watch.heard(status);
    } catch (cause) {
      if (signal.aborted) return;
      pauseMs = Math.min(retryMsMin * 2 ** failures, retryMsMax);
      failures += 1;
      since = null;
      watch.failed(cause instanceof Refusal ? cause : new Refusal(unreachable(cause), false));
    }
    await pause(pauseMs, signal);
  }
}

/** Asks for the status: with a version it waits for the next one. */
function asker({ url, session, token, fetch: own }: HttpTeamOptions) {
  const [address = "", fragment = ""] = url.split("#");
  const key = token ?? new URLSearchParams(fragment).get("token");
  const path = `${address.replace(/\/+$/, "")}/api/sessions/${encodeURIComponent(session)}/status`;
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  // Called as a function of its own: browsers refuse `fetch` as a method of anything.
  const send = own ?? ((to: string, init: RequestInit) => fetch(to, init));
  return async (since: number | null, signal: AbortSignal): Promise<TeamStatus> => {
    const query = since === null ? "" : `?since=${since}&waitMs=${waitMs}`;
    const response = await send(path + query, { headers, signal, cache: "no-store" });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && isStatus(answer)) return answer;
    throw refusalOf(response.status, answer);
  };
}

/** The service's answer, told from that of some other server at the same address. */
const isStatus = (answer: unknown): answer is TeamStatus =>
  typeof answer === "object" &&
  answer !== null &&
  "version" in answer &&
  typeof answer.version === "number" &&
  "members" in answer &&
  Array.isArray(answer.members);

function refusalOf(status: number, answer: unknown): Refusal {
  if (typeof answer === "object" && answer !== null && "code" in answer && "message" in answer) {
    const { code, message } = answer;
    if (typeof code === "string" && typeof message === "string") return new Refusal({ code, message }, status < 500);
  }
  const message = `What answered with status ${status} is no service of Teamchart; is the address right?`;
  return new Refusal({ code: "unreachable", message }, false);
}

const unreachable = (cause: unknown): TeamViewFault => ({
  code: "unreachable",
  message: `The service does not answer${cause instanceof Error && cause.message !== "" ? `: ${cause.message}` : ""}.`,
});

/** Waits, or until the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}
