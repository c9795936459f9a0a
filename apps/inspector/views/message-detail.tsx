import type { Copy, Message } from "../fold/messages.ts";
import { bytesText, countText, timeText } from "../parts/format.ts";
import { useSession } from "../session-context.ts";
import { BodyText } from "./body-text.tsx";
import { ActorLink } from "./actor-link.tsx";

const copiesMax = 40;

/** One message from its sending to where it was read, or why it wasn't. */
export function MessageDetail({
  message,
  onClose,
  onChoose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
  readonly onChoose: (name: string) => void;
}) {
  const { from, to, seq, at, kind, bytes, body, refused, copies, text } = message;
  return (
    <section className="message-detail" aria-label="Message">
      <header>
        <strong>
          <ActorLink name={from} onChoose={onChoose} /> →{" "}
          {copies.length === 1 ? <ActorLink name={copies[0]?.name ?? to} onChoose={onChoose} /> : to}
        </strong>
        <span className="tag">{kind}</span>
        {bytes > 0 && <span className="dim">{bytesText(bytes)}</span>}
        <span className="spread" />
        <button type="button" className="button icon-button" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <ol className="way">
        <li>
          Sent at {timeText(at)} <SeqLink seq={seq} />
        </li>
        {refused !== null && <li className="failed">Refused: {refused}. It changed nothing.</li>}
        {copies.slice(0, copiesMax).map((copy) => (
          <li key={copy.token}>
            <CopyState copy={copy} isMany={copies.length > 1} onChoose={onChoose} />
          </li>
        ))}
        {copies.length > copiesMax && <li>and {countText(copies.length - copiesMax)} more recipients</li>}
      </ol>
      {text !== null ? <p>{text}</p> : <BodyText body={body} field="content" />}
    </section>
  );
}

function CopyState({
  copy: { name, readSeq, deadSeq },
  isMany,
  onChoose,
}: {
  readonly copy: Copy;
  readonly isMany: boolean;
  readonly onChoose: (name: string) => void;
}) {
  const { model } = useSession();
  const { seq } = model.timeline.getSnapshot().session;
  const who = isMany ? (
    <>
      <ActorLink name={name} onChoose={onChoose} />:{" "}
    </>
  ) : null;
  if (readSeq !== null && readSeq <= seq)
    return (
      <>
        {who}read by its run <SeqLink seq={readSeq} />
      </>
    );
  if (deadSeq !== null && deadSeq <= seq)
    return (
      <span className="failed">
        {who}never read: a dead letter <SeqLink seq={deadSeq} />
      </span>
    );
  return <>{who}in the mailbox, unread</>;
}

/** Leads to a place on the timeline. */
export function SeqLink({ seq }: { readonly seq: number }) {
  const { model, seek } = useSession();
  return (
    <button
      type="button"
      className="link mono"
      title="Show the session after this input"
      onClick={() => seek(model.timeline.positionOf(seq))}
    >
      #{seq}
    </button>
  );
}
