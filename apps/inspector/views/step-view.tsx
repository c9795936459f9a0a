import { useMemo } from "react";
import type { PossibleTransition } from "teamchart/machines";
import type { ActorRef } from "../fold/actors.ts";
import type { Entry } from "../fold/entry.ts";
import { explain, type Explained } from "../fold/explain.ts";
import { stepDiff, type ActorDiff, type Change } from "../fold/step-diff.ts";
import { Empty } from "../parts/empty.tsx";
import { countText, timeText } from "../parts/format.ts";
import { jsonText } from "../parts/json-text.tsx";
import { useSession, useShown } from "../session-context.ts";
import { lineOf } from "./log-lines.ts";
import { SeqLink } from "./message-detail.tsx";
import { ActorLink } from "./actor-link.tsx";

const postsMax = 30;
const actorsMax = 12;

/** The input that led to the place that is shown: what it was, what followed, what was decided by what, what changed. */
export function StepView({
  actor,
  onChoose,
}: {
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}) {
  const { model } = useSession();
  const position = useShown((shown) => shown.position);
  const entry = model.timeline.entryAt(position);
  if (entry === undefined)
    return <Empty title="The start of the timeline">Step on to see what the first input did.</Empty>;
  return <Step key={entry.record.seq} entry={entry} position={position} actor={actor} onChoose={onChoose} />;
}

function Step({
  entry,
  position,
  actor,
  onChoose,
}: {
  readonly entry: Entry;
  readonly position: number;
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}) {
  const { model } = useSession();
  const { timeline } = model;
  const { input, seq } = entry.record;
  const { diffs, explained, token } = useMemo(() => {
    const before = timeline.sessionAt(position - 1);
    const own =
      actor !== null && entry.steps.some((step) => step.actor === actor.token)
        ? actor.token
        : (entry.steps[0]?.actor ?? input.actor);
    return {
      diffs: stepDiff(before, timeline.sessionAt(position), entry),
      explained: explain(timeline.kernel, before, entry, own),
      token: own,
    };
  }, [timeline, position, entry, actor, input.actor]);
  const line = lineOf(timeline.current, entry, 0);
  const ofActor = diffs.find((each) => each.token === token)?.name ?? line?.actor ?? token;
  return (
    <>
      <p className="headline">
        <strong>{input.event.type}</strong> <span className={`tag verdict-tag-${entry.verdict}`}>{entry.verdict}</span>
      </p>
      <p className="dim">
        <ActorLink name={line?.from ?? input.from} onChoose={onChoose} /> →{" "}
        <ActorLink name={line?.actor ?? input.actor} onChoose={onChoose} /> · <SeqLink seq={seq} /> ·{" "}
        {timeText(input.at)}
      </p>
      {entry.why !== null && <p className="notice notice-warn wrap">{entry.why}</p>}
      {entry.difference !== null && <p className="notice notice-warn wrap">Recorded otherwise: {entry.difference}.</p>}
      <details>
        <summary>The input</summary>
        <pre className="json">
          {jsonText({
            ...input.event,
            ...(input.command && { command: input.command }),
            ...(input.body && { body: input.body }),
          })}
        </pre>
      </details>
      <Posts entry={entry} onChoose={onChoose} />
      <Decisions name={ofActor} explained={explained} />
      <Diffs diffs={diffs} onChoose={onChoose} />
    </>
  );
}

function Posts({ entry, onChoose }: { readonly entry: Entry; readonly onChoose: (name: string) => void }) {
  const { timeline } = useSession().model;
  const posts = entry.steps.length - 1;
  if (posts <= 0) return null;
  return (
    <details open={posts <= 6}>
      <summary>{posts === 1 ? "One post" : `${countText(posts)} posts`} followed</summary>
      <ol className="posts">
        {entry.steps.slice(1, postsMax + 1).map((_each, index) => {
          const line = lineOf(timeline.current, entry, index + 1);
          return line === undefined ? null : (
            <li key={index}>
              <ActorLink name={line.from} onChoose={onChoose} /> → <ActorLink name={line.actor} onChoose={onChoose} />:{" "}
              <strong>{line.event.type}</strong>
              {line.verdict === "handled" ? "" : ` (${line.verdict})`}
              {line.status === undefined ? "" : ` ⇒ ${line.status.replace("_", " ")}`}
            </li>
          );
        })}
      </ol>
      {posts > postsMax && <p className="dim">and {countText(posts - postsMax)} more</p>}
    </details>
  );
}

/** Which transitions an actor's machine tried, and what each guard said. */
function Decisions({ name, explained }: { readonly name: string; readonly explained: readonly Explained[] }) {
  const tried = explained.filter((each) => each.tried.length > 0);
  if (tried.length === 0) return null;
  return (
    <section aria-label={`What decided, in ${name}`}>
      <h3>What decided, in {name}</h3>
      {tried.slice(0, postsMax).map((each) => (
        <div key={each.step} className="decision">
          <p>
            <strong>{each.event.type}</strong> <span className="dim mono wrap">{eventData(each.event)}</span>
          </p>
          <ul>
            {each.tried.map((transition) => (
              <Tried key={transition.id} transition={transition} isTaken={each.taken.includes(transition.id)} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

const eventData = ({ type: _type, ...data }: { readonly type: string }): string =>
  Object.keys(data).length === 0 ? "" : jsonText(data).replaceAll(/\s+/g, " ");
const outcome = (holds: boolean | null): string => (holds === null ? "unknown" : holds ? "yes" : "no");

function Tried({
  transition: { id, guard, guards, holds },
  isTaken,
}: {
  readonly transition: PossibleTransition;
  readonly isTaken: boolean;
}) {
  const [source = ""] = id.split("|");
  return (
    <li className={isTaken ? "taken" : ""}>
      <span className="dim">{source.split(".").slice(1).join(".") || "root"}</span>{" "}
      {guard === null ? "no guard" : <span className="mono wrap">[{guard}]</span>}{" "}
      <span className={`tag guard-${outcome(holds)}`}>
        {isTaken ? "taken" : holds === true ? "holds, but an earlier one was taken" : outcome(holds)}
      </span>
      {guards.length > 0 && (
        <span className="dim guards"> {guards.map((each) => `${each.name}: ${outcome(each.holds)}`).join(", ")}</span>
      )}
    </li>
  );
}

function Diffs({
  diffs,
  onChoose,
}: {
  readonly diffs: readonly ActorDiff[];
  readonly onChoose: (name: string) => void;
}) {
  return (
    <section aria-label="What changed">
      <h3>What changed</h3>
      {diffs.length === 0 && <p className="dim">Nothing.</p>}
      {diffs.slice(0, actorsMax).map(({ token, name, changes }) => (
        <div key={token} className="diff">
          <p>
            <strong>
              <ActorLink name={name} onChoose={onChoose} />
            </strong>
          </p>
          <table>
            <thead className="visually-hidden">
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <ChangeRow key={change.path} change={change} />
              ))}
            </tbody>
          </table>
        </div>
      ))}
      {diffs.length > actorsMax && <p className="dim">and {countText(diffs.length - actorsMax)} more actors</p>}
    </section>
  );
}

const valueMax = 240;
const short = (value: unknown): string => {
  const text = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > valueMax ? `${text.slice(0, valueMax).toWellFormed()}…` : text;
};

function ChangeRow({ change: { path, before, after } }: { readonly change: Change }) {
  return (
    <tr>
      <th scope="row" className="mono">
        {path === "" ? "all" : path}
      </th>
      <td className="before mono">{before === undefined ? "" : short(before)}</td>
      <td className="after mono">{after === undefined ? "" : short(after)}</td>
    </tr>
  );
}
