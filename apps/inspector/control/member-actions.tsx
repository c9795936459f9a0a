import { useState } from "react";
import type { MemberRecord } from "teamchart/machines";
import { useSession, useShown } from "../session-context.ts";
import { Dialog } from "./dialog.tsx";

type Action = "message" | "cancel" | "retry" | "shutdown";

/** What can be done with a member, as far as its state allows; nothing where the page may only look, or looks back. */
export function MemberActions({ member }: { readonly member: MemberRecord }) {
  const { command, facts } = useSession();
  const atHead = useShown((shown) => shown.atHead);
  const [open, setOpen] = useState<Action | null>(null);
  if (command === null || !atHead) return null;
  const { work, presence } = facts.member(member.snapshot);
  const isGone = presence === "shutdown";
  const can: Readonly<Record<Action, boolean>> = {
    message: !isGone && work !== "failed",
    cancel: work === "blocked" || work === "in_progress" || work === "failed",
    retry: !isGone && (work === "failed" || (work === "completed" && member.lifetime === "persistent")),
    shutdown: presence === "idle",
  };
  const labels: readonly (readonly [Action, string])[] = [
    ["message", "Message…"],
    ["retry", "Retry…"],
    ["cancel", "Cancel…"],
    ["shutdown", "Shut down…"],
  ];
  return (
    <div className="actions" role="group" aria-label={`Act on ${member.name}`}>
      {labels.map(
        ([action, label]) =>
          can[action] && (
            <button
              key={action}
              type="button"
              className={action === "cancel" || action === "shutdown" ? "button danger-quiet" : "button"}
              onClick={() => setOpen(action)}
            >
              {label}
            </button>
          ),
      )}
      {open === "message" && <MessageDialog to={member.name} onClose={() => setOpen(null)} />}
      {open !== null && open !== "message" && (
        <MemberDialog member={member} action={open} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

/** Writes to somebody as the user. */
export function MessageDialog({ to, onClose }: { readonly to: string; readonly onClose: () => void }) {
  const { command } = useSession();
  const [content, setContent] = useState("");
  if (command === null) return null;
  return (
    <Dialog
      title={`Message to ${to}`}
      action="Send"
      isReady={content.trim() !== ""}
      onClose={onClose}
      onConfirm={() => command("messages", { to, content })}
    >
      <p className="dim">It is sent as the user, and read before the next model call.</p>
      <textarea
        autoFocus
        rows={5}
        value={content}
        aria-label="Message"
        onChange={(event) => setContent(event.target.value)}
      />
    </Dialog>
  );
}

const texts = {
  cancel: {
    title: "Cancel",
    action: "Cancel it",
    isDanger: true,
    text: "Its work is stopped and lost, and whoever waits for it stays blocked until the team is replanned.",
  },
  shutdown: {
    title: "Shut down",
    action: "Shut it down",
    isDanger: true,
    text: "It reads no more mail, and its name stays taken.",
  },
  retry: {
    title: "Retry",
    action: "Start again",
    isDanger: false,
    text: "It begins another attempt. Leave the task as it is, or write a better one.",
  },
} as const;

function MemberDialog({
  member,
  action,
  onClose,
}: {
  readonly member: MemberRecord;
  readonly action: keyof typeof texts;
  readonly onClose: () => void;
}) {
  const { command } = useSession();
  const [text, setText] = useState(action === "retry" ? member.prompt : "");
  if (command === null) return null;
  const { title, action: word, isDanger, text: consequence } = texts[action];
  const body =
    action === "retry" ? (text === member.prompt ? {} : { prompt: text }) : text === "" ? {} : { reason: text };
  const path = `members/${encodeURIComponent(member.name)}/${action}`;
  return (
    <Dialog
      title={`${title}: ${member.name}`}
      action={word}
      isDanger={isDanger}
      onClose={onClose}
      onConfirm={() => command(path, body)}
    >
      <p>{consequence}</p>
      {action === "retry" ? (
        <textarea rows={6} value={text} aria-label="Task" onChange={(event) => setText(event.target.value)} />
      ) : (
        <input
          type="text"
          maxLength={600}
          value={text}
          placeholder="Why (optional)"
          aria-label="Why"
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Dialog>
  );
}
