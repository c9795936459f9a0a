import { useMemo, useState } from "react";
import type { Mail } from "teamchart/machines";
import type { ActorRef } from "../fold/actors.ts";
import type { Message } from "../fold/messages.ts";
import { Empty } from "../parts/empty.tsx";
import { bytesText, countText, timeText } from "../parts/format.ts";
import { LastedFor } from "../parts/lasted-for.tsx";
import { useSession, useShown } from "../session-context.ts";
import { BodyText } from "./body-text.tsx";
import { SeqLink } from "./message-detail.tsx";
import { ActorLink } from "./actor-link.tsx";

const shownMax = 100;
const noMail: readonly Mail[] = [];

/** An actor's mailbox: what is unread, the oldest first, and what became of the rest. */
export function MailView({ actor, onChoose }: { readonly actor: ActorRef; readonly onChoose: (name: string) => void }) {
  const unread = useShown(({ session }) =>
    actor.kind === "lead" ? session.lead.unread : (session.members.get(actor.token)?.unread ?? noMail),
  );
  const [oldest] = unread;
  return (
    <>
      <h3>
        Unread <span className="dim">{oldest === undefined ? "none" : unread.length}</span>{" "}
        {oldest !== undefined && <LastedFor since={oldest.at} word="· the oldest for" />}
      </h3>
      <ul className="cards">
        {unread.slice(0, shownMax).map((mail) => (
          <UnreadMail key={mail.id} mail={mail} onChoose={onChoose} />
        ))}
      </ul>
      {unread.length > shownMax && <p className="dim">and {countText(unread.length - shownMax)} more</p>}
      <History actor={actor} onChoose={onChoose} />
    </>
  );
}

function UnreadMail({ mail, onChoose }: { readonly mail: Mail; readonly onChoose: (name: string) => void }) {
  const { from, kind, notice, about, reason, bytes, hops, broadcast, body, seq, at } = mail;
  return (
    <li className="card">
      <header>
        <strong>
          <ActorLink name={from} onChoose={onChoose} />
        </strong>{" "}
        <span className="tag">{notice === null ? kind : notice.replaceAll("_", " ")}</span>
        {broadcast && <span className="tag">broadcast</span>}
        <span className="spread" />
        <span className="dim">
          {timeText(at)} <SeqLink seq={seq} />
        </span>
      </header>
      {about !== null && (
        <p>
          About <ActorLink name={about} onChoose={onChoose} />
          {reason === null ? "" : `: ${reason}`}
        </p>
      )}
      {body !== null && <BodyText body={body} field="content" />}
      {bytes > 0 && (
        <p className="dim">
          {bytesText(bytes)}
          {hops > 1 ? `, ${hops} hops from its origin` : ""}
        </p>
      )}
    </li>
  );
}

/** What came before, and where it went; the latest first. */
function History({ actor, onChoose }: { readonly actor: ActorRef; readonly onChoose: (name: string) => void }) {
  const { model } = useSession();
  const { position, seq } = useShown(
    ({ position: at, session }) => ({ position: at, seq: session.seq }),
    (a, b) => a.position === b.position && a.seq === b.seq,
  );
  const { done, counts } = useMemo(
    () => historyOf(model.messages.to(actor.token), actor.token, { position, seq }),
    [model, actor.token, position, seq],
  );
  return (
    <>
      <h3>
        Gone{" "}
        <span className="dim">
          {countText(counts.read)} read, {countText(counts.dead)} dead letters
        </span>
      </h3>
      {done.length === 0 ? (
        <Empty title="Nothing was read yet" />
      ) : (
        <ul className="cards">
          {done.slice(0, shownMax).map((each) => (
            <GoneMail key={`${each.message.seq} ${each.message.text ?? ""}`} {...each} onChoose={onChoose} />
          ))}
        </ul>
      )}
      {done.length > shownMax && <p className="dim">and {countText(done.length - shownMax)} before</p>}
    </>
  );
}

interface Gone {
  readonly message: Message;
  readonly goneSeq: number;
  readonly isDead: boolean;
}

function historyOf(
  messages: readonly Message[],
  token: string,
  { position, seq }: { readonly position: number; readonly seq: number },
) {
  const done: Gone[] = [];
  const counts = { read: 0, dead: 0 };
  for (const message of messages) {
    if (message.index >= position) break;
    const copy = message.copies.find((each) => each.token === token);
    const goneSeq = copy?.readSeq ?? copy?.deadSeq ?? null;
    if (copy === undefined || goneSeq === null || goneSeq > seq) continue;
    const isDead = copy.readSeq === null;
    if (message.kind !== "notice") counts[isDead ? "dead" : "read"]++;
    done.push({ message, goneSeq, isDead });
  }
  return { done: done.toReversed(), counts };
}

function GoneMail({ message, goneSeq, isDead, onChoose }: Gone & { readonly onChoose: (name: string) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li className="card">
      <header>
        <strong>
          <ActorLink name={message.from} onChoose={onChoose} />
        </strong>{" "}
        <span className={isDead ? "tag tag-error" : "tag"}>{isDead ? "dead letter" : message.kind}</span>
        <span className="spread" />
        <span className="dim">
          sent <SeqLink seq={message.seq} /> {isDead ? "dead" : "read"} <SeqLink seq={goneSeq} />
        </span>
      </header>
      {message.text !== null ? (
        <p className="wrap">{message.text}</p>
      ) : isOpen ? (
        <BodyText body={message.body} field="content" />
      ) : (
        <button type="button" className="link" onClick={() => setIsOpen(true)}>
          Show {bytesText(message.bytes)}
        </button>
      )}
    </li>
  );
}
