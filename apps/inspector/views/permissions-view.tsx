import { useState } from "react";
import { displayName, type PermissionRequest } from "teamchart/machines";
import { ApiError } from "../feed/api.ts";
import { Empty } from "../parts/empty.tsx";
import { spanText } from "../parts/format.ts";
import { jsonText, LongText } from "../parts/json-text.tsx";
import { useBody, useSession, useShown } from "../session-context.ts";
import { useClock } from "../use-clock.ts";
import { ActorLink } from "./actor-link.tsx";

/** What waits for a person's word. */
export function PermissionsView({ onChoose }: { readonly onChoose: (name: string) => void }) {
  const requests = useShown(({ session }) => session.requests);
  const answered = useShown(({ session }) => session.answered);
  return (
    <div className="permissions">
      {requests.length === 0 ? (
        <Empty title="Nothing waits for an answer">
          A member that needs a permission waits here until somebody answers, or its time is over.
        </Empty>
      ) : (
        <ul className="cards">
          {requests.map((request) => (
            <Request key={request.id} request={request} onChoose={onChoose} />
          ))}
        </ul>
      )}
      {answered.length > 0 && (
        <p className="dim permissions-foot">
          Answered so far:{" "}
          {["approved", "denied", "timed_out", "cancelled"]
            .map((verdict) => [verdict, answered.filter((each) => each.verdict === verdict).length] as const)
            .filter(([, count]) => count > 0)
            .map(([verdict, count]) => `${count} ${verdict.replace("_", " ")}`)
            .join(", ")}
          .
        </p>
      )}
    </div>
  );
}

interface AskedBody {
  readonly input?: unknown;
  readonly target?: string | null;
  readonly chains?: readonly (readonly string[])[];
}

function Request({
  request,
  onChoose,
}: {
  readonly request: PermissionRequest;
  readonly onChoose: (name: string) => void;
}) {
  const { kind, tool, approver, deadline, input, member } = request;
  const name = useShown(({ session }) => displayName(session, (token) => session.members.get(token), member));
  const atHead = useShown((shown) => shown.atHead);
  const body = useBody(input);
  // Its fields are checked where they are used: a body may be of any form.
  const asked =
    body.state === "here" && typeof body.value === "object" && body.value !== null ? (body.value as AskedBody) : {};
  const now = useClock();
  return (
    <li className="card">
      <header>
        <strong>
          <ActorLink name={name} onChoose={onChoose} />
        </strong>{" "}
        wants to use <strong className="mono">{tool}</strong> <span className="tag">{kind}</span>
        <span className="spread" />
        {now !== null && (
          <span className="dim">denied by itself in {spanText(deadline.armedAt + deadline.ms - now)}</span>
        )}
      </header>
      {typeof asked.target === "string" && <p className="mono wrap">{asked.target}</p>}
      {Array.isArray(asked.chains) && asked.chains.length > 0 && (
        <p className="dim">
          Told by {asked.chains.map((chain) => (Array.isArray(chain) ? chain.join(" → ") : "")).join("; ")}
        </p>
      )}
      {body.state === "loading" ? (
        <p className="dim">Loading the arguments…</p>
      ) : (
        asked.input !== undefined && <LongText text={jsonText(asked.input)} mono />
      )}
      {approver === "lead" && <p className="dim">The lead is to answer this; your word counts too.</p>}
      {atHead && <Answer request={request} />}
    </li>
  );
}

function Answer({ request }: { readonly request: PermissionRequest }) {
  const { command } = useSession();
  const [note, setNote] = useState("");
  const [state, setState] = useState("open");
  if (command === null)
    return (
      <p className="dim">This page is read-only: answer where the session runs, or start the service with --control.</p>
    );
  const answer = (approve: boolean): void => {
    setState("sending");
    command(`permissions/${encodeURIComponent(request.id)}`, { approve, ...(note === "" ? {} : { note }) }).then(
      () => setState("sending"),
      (fault: unknown) => setState(fault instanceof ApiError ? fault.message : String(fault)),
    );
  };
  return (
    <div className="answer">
      <input
        type="text"
        value={note}
        maxLength={600}
        placeholder="A note that the member reads (optional)"
        aria-label="Note"
        onChange={(event) => setNote(event.target.value)}
      />
      <button type="button" className="button primary" disabled={state === "sending"} onClick={() => answer(true)}>
        Approve
      </button>
      <button type="button" className="button danger" disabled={state === "sending"} onClick={() => answer(false)}>
        Deny
      </button>
      {state !== "open" && state !== "sending" && (
        <p className="notice notice-error" role="alert">
          {state}
        </p>
      )}
    </div>
  );
}
