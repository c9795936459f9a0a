import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { ActorRef } from "../fold/actors.ts";
import { countBelow } from "../fold/actor-index.ts";
import type { Entry } from "../fold/entry.ts";
import { Empty } from "../parts/empty.tsx";
import { timeText } from "../parts/format.ts";
import { jsonText, LongText } from "../parts/json-text.tsx";
import { useBody, useSession, useShown } from "../session-context.ts";
import { SeqLink } from "./message-detail.tsx";

/** Entries drawn at first; more on demand. */
const pageSize = 40;

/** What an actor was told, said and did, in order, up to the place that is shown; and what its model is saying now. */
export function ConversationView({ actor }: { readonly actor: ActorRef }) {
  const { model } = useSession();
  const [pages, setPages] = useState(1);
  const count = useShown(({ position }) => countBelow(model.actors.conversationOf(actor.token), position));
  const atHead = useShown((shown) => shown.atHead);
  const indexes = model.actors.conversationOf(actor.token).slice(Math.max(0, count - pages * pageSize), count);
  const more = count - indexes.length;
  if (count === 0)
    return (
      <>
        <Empty title="Nothing was said yet">Its conversation stands here as soon as it has begun.</Empty>
        {atHead && <Stream actor={actor} />}
      </>
    );
  return (
    <>
      {more > 0 && (
        <button type="button" className="link" onClick={() => setPages(pages + 1)}>
          Show earlier ({more})
        </button>
      )}
      <ol className="talk">
        {indexes.map((index) => {
          const entry = model.timeline.entries[index];
          return entry === undefined ? null : <Turn key={entry.record.seq} entry={entry} />;
        })}
      </ol>
      {atHead && <Stream actor={actor} />}
    </>
  );
}

/** What the model is saying at this moment. */
function Stream({ actor }: { readonly actor: ActorRef }) {
  const { tokens } = useSession().model;
  const stream = useSyncExternalStore(
    (observer) => tokens.subscribe(observer),
    () => tokens.get(actor.name),
  );
  const length = stream?.text.length ?? 0;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [length]);
  if (stream === undefined) return null;
  return (
    <div className="turn turn-said live" aria-label="What it is saying">
      <header>
        <strong>saying</strong> <span className="tag tag-live">live</span>
      </header>
      <div className="long-text">
        {stream.text}
        <span className="caret" aria-hidden="true" />
      </div>
      <div ref={end} />
    </div>
  );
}

function Turn({ entry }: { readonly entry: Entry }) {
  const { event, at } = entry.record.input;
  const { kind, title } = titleOf(event);
  return (
    <li className={`turn turn-${kind}`}>
      <header>
        <strong>{title}</strong>
        <span className="spread" />
        <span className="dim">
          {timeText(at)} <SeqLink seq={entry.record.seq} />
        </span>
      </header>
      <TurnBody entry={entry} />
    </li>
  );
}

type Event = Entry["record"]["input"]["event"];

function titleOf(event: Event): { readonly kind: string; readonly title: string } {
  switch (event.type) {
    case "run.injected":
    case "lead.injected":
      return {
        kind: "told",
        title:
          event.mail.length === 0
            ? "was told"
            : `was told, with ${event.mail.length} ${event.mail.length === 1 ? "message" : "messages"}`,
      };
    case "lead.prompt":
      return { kind: "told", title: "the user said" };
    case "run.answered":
      return { kind: "said", title: `answered · ${event.usage.input} + ${event.usage.output} tokens` };
    case "run.compacted":
      return { kind: "told", title: "went on from a summary" };
    case "tool.started":
      return { kind: "tool", title: `called ${event.tool}` };
    case "tool.ended":
      return { kind: event.verdict === "ok" ? "tool" : "wrong", title: `the call ended: ${event.verdict}` };
    case "work.complete":
      return { kind: "said", title: "delivered" };
    case "plan.submit":
      return { kind: "said", title: "showed its plan" };
    case "run.erred":
      return { kind: "wrong", title: `refused by the provider; again in ${Math.round(event.retryInMs / 100) / 10} s` };
    case "run.failed":
      return { kind: "wrong", title: "failed" };
    case "run.lost":
      return { kind: "wrong", title: "the run was lost" };
    default:
      return { kind: "mark", title: event.type.replace(".", " ") };
  }
}

function TurnBody({ entry }: { readonly entry: Entry }) {
  const { event, body } = entry.record.input;
  const known = useBody(body ?? null);
  if ("reason" in event && event.reason !== undefined) return <p className="wrap">{event.reason}</p>;
  if (body === undefined) return null;
  if (known.state === "loading")
    return (
      <p className="dim" role="status">
        Loading the text…
      </p>
    );
  if (known.state === "missing") return <p className="dim">{known.why}</p>;
  return <BodyParts value={known.value} />;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A body of a run, part by part: texts, calls with what they were given, and results. */
function BodyParts({ value }: { readonly value: unknown }) {
  if (!isFields(value)) return <LongText text={jsonText(value)} mono={typeof value !== "string"} />;
  if (Array.isArray(value["content"])) {
    const { model } = value;
    return (
      <>
        {value["content"].map((part: unknown, index) => (
          <Part key={index} part={part} />
        ))}
        {typeof model === "string" && <p className="dim mono">{model}</p>}
      </>
    );
  }
  if (typeof value["text"] === "string") return <LongText text={value["text"]} />;
  if (typeof value["summary"] === "string")
    return (
      <>
        <LongText text={value["summary"]} />
        {Array.isArray(value["paths"]) && value["paths"].length > 0 && (
          <p className="dim mono wrap">{value["paths"].join(", ")}</p>
        )}
      </>
    );
  if (isFields(value["output"]))
    return (
      <>
        <p className="dim mono">{jsonText(value["tool"])}</p>
        <LongText text={jsonText("value" in value["output"] ? value["output"]["value"] : value["output"])} mono />
      </>
    );
  return (
    <LongText
      text={jsonText("content" in value ? value["content"] : value)}
      mono={typeof value["content"] !== "string"}
    />
  );
}

function Part({ part }: { readonly part: unknown }) {
  if (!isFields(part)) return <LongText text={jsonText(part)} />;
  if (part["type"] === "text" || part["type"] === "reasoning")
    return (
      <div className={part["type"] === "reasoning" ? "reasoning" : ""}>
        <LongText text={jsonText(part["text"])} />
      </div>
    );
  if (part["type"] === "tool-call")
    return (
      <div className="call">
        <span className="mono">{jsonText(part["toolName"])}</span>
        <LongText text={jsonText(part["input"])} mono />
      </div>
    );
  return <LongText text={jsonText(part)} mono />;
}
