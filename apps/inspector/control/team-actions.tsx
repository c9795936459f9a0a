import { useState } from "react";
import { useSession, useShown } from "../session-context.ts";
import { Dialog } from "./dialog.tsx";
import { MessageDialog } from "./member-actions.tsx";
import { ReplanDialog } from "./replan-dialog.tsx";

type Action = "message" | "replan" | "dissolve";

/** What can be done with the whole team. */
export function TeamActions() {
  const { facts } = useSession();
  const { atHead } = useShown((shown) => shown);
  const state = useShown(({ session }) => (session.team === null ? null : facts.team(session.team.snapshot)));
  const [open, setOpen] = useState<Action | null>(null);
  const close = (): void => setOpen(null);
  const isActive = state === "running" || state === "stalled" || state === "finished";
  if (!atHead || state === null || (!isActive && state !== "dissolving")) return null;
  return (
    <div className="actions" role="group" aria-label="Act on the team">
      {isActive && (
        <button type="button" className="button" onClick={() => setOpen("message")}>
          Broadcast…
        </button>
      )}
      {isActive && (
        <button type="button" className="button" onClick={() => setOpen("replan")}>
          Replan…
        </button>
      )}
      <button type="button" className="button danger-quiet" onClick={() => setOpen("dissolve")}>
        Dissolve…
      </button>
      {open === "message" && <MessageDialog to="broadcast" onClose={close} />}
      {open === "replan" && <ReplanDialog onClose={close} />}
      {open === "dissolve" && <DissolveDialog onClose={close} />}
    </div>
  );
}

function DissolveDialog({ onClose }: { readonly onClose: () => void }) {
  const { command } = useSession();
  const name = useShown(({ session }) => session.team?.name ?? "the team");
  const running = useShown(({ session }) => session.team?.counts.running ?? 0);
  const [mode, setMode] = useState<"graceful" | "abort">("graceful");
  const [reason, setReason] = useState("");
  if (command === null) return null;
  const body = { mode, ...(reason === "" ? {} : { reason }) };
  return (
    <Dialog
      title={`Dissolve ${name}`}
      action="Dissolve it"
      isDanger
      onClose={onClose}
      onConfirm={() => command("dissolve", body)}
    >
      <p>
        The team ends, for good.{" "}
        {running === 0 ? "Nobody is at work." : `${running} at work ${running === 1 ? "is" : "are"} stopped.`}
      </p>
      <label className="check">
        <input type="radio" name="mode" checked={mode === "graceful"} onChange={() => setMode("graceful")} /> ask those
        at work first, and force them when the time is over
      </label>
      <label className="check">
        <input type="radio" name="mode" checked={mode === "abort"} onChange={() => setMode("abort")} /> stop everybody
        at once
      </label>
      <input
        type="text"
        maxLength={600}
        value={reason}
        placeholder="Why (optional)"
        aria-label="Why"
        onChange={(event) => setReason(event.target.value)}
      />
    </Dialog>
  );
}
