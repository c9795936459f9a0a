import type { LogStart, ServiceInfo, SessionSummary } from "teamchart/protocol";

/** A refusal of the service, or no answer at all (`code` is `unreachable`). */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The service's API, as this page needs it. */
export class Api {
  readonly #base: URL;
  readonly #token: string | null;

  /** `base` is the address of the page; the API lies below it. */
  constructor(base: string, token: string | null) {
    this.#base = new URL("api/", base);
    this.#token = token;
  }

  info(signal?: AbortSignal): Promise<ServiceInfo> {
    // The service is of the same package as this page; its answers are trusted to have their shape.
    return this.#json("info", { signal }) as Promise<ServiceInfo>;
  }

  async sessions(signal?: AbortSignal): Promise<readonly SessionSummary[]> {
    // As above.
    const { sessions } = (await this.#json("sessions", { signal })) as { sessions: readonly SessionSummary[] };
    return sessions;
  }

  log(session: string, signal?: AbortSignal): Promise<LogStart> {
    // As above.
    return this.#json(`${pathOf(session)}/log`, { signal }) as Promise<LogStart>;
  }

  body(session: string, digest: string): Promise<unknown> {
    return this.#json(`${pathOf(session)}/bodies/${encodeURIComponent(digest)}`, {});
  }

  /** The whole recording as text. */
  async recording(session: string): Promise<string> {
    return (await this.#fetch(`${pathOf(session)}/recording`, {})).text();
  }

  /** The stream of records from a sequence on. */
  events(session: string, from: number, signal: AbortSignal): Promise<Response> {
    return this.#fetch(`${pathOf(session)}/events?from=${from}`, { signal });
  }

  /** Sends a command: `path` is below the session, such as `members/Ann/cancel`. */
  command(session: string, path: string, body: unknown): Promise<unknown> {
    const headers = { "content-type": "application/json", "x-teamchart": "1" };
    return this.#json(`${pathOf(session)}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async #json(path: string, init: RequestInit): Promise<unknown> {
    const response = await this.#fetch(path, init);
    return response.status === 204 ? null : response.json();
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.#token !== null) headers.set("authorization", `Bearer ${this.#token}`);
    let response: Response;
    try {
      response = await fetch(new URL(path, this.#base), { ...init, headers, cache: "no-store" });
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new ApiError("unreachable", "The service does not answer.", 0);
    }
    if (response.ok) return response;
    throw await refusalOf(response);
  }
}

async function refusalOf(response: Response): Promise<ApiError> {
  try {
    // As above; a proxy in between may answer in its own way, which is caught here.
    const { code, message } = (await response.json()) as { code: string; message: string };
    if (typeof code === "string" && typeof message === "string") return new ApiError(code, message, response.status);
  } catch {
    // No JSON: it did not come from the service.
  }
  return new ApiError("unreachable", `The service answered with status ${response.status}.`, response.status);
}

const pathOf = (session: string): string => `sessions/${encodeURIComponent(session)}`;
