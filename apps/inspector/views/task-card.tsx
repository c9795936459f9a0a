import { useEffect, useRef } from "react";
import { eventLines } from "teamchart/machines";
import type { TaskState, TaskStatus } from "teamchart/protocol";
import { TaskActions } from "../control/task-dialogs.tsx";
import { words, type Mark } from "../fold/actors.ts";
import { LastedFor } from "../parts/lasted-for.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { useSession, useShown } from "../session-context.ts";
import { ActorLink } from "./actor-link.tsx";

interface CardProps {
  readonly task: TaskStatus;
  readonly all: readonly TaskStatus[];
  readonly onChoose: (name: string) => void;
}

/** A task's state as one of the five signs: who may take it waits, as one that is blocked does. */
const markOf = (state: TaskState): Mark => (state === "pending" ? "blocked" : state);

/** One task; the chosen one with all that is known of it. */
export function TaskCard({ task, all, onChoose }: CardProps) {
  const { place, go } = useSession();
  const isChosen = place.task === task.task;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li className={`card task-card${isChosen ? " chosen" : ""}`} ref={card}>
      <button
        type="button"
        className="task-head"
        aria-expanded={isChosen}
        onClick={() => go({ task: isChosen ? null : task.task })}
      >
        <StateMark state={markOf(task.status)} label={null} />
        <span className="mono dim">#{task.task}</span>
        <strong className="wrap">{task.subject}</strong>
        {task.priority !== 0 && <span className="tag">priority {task.priority}</span>}
      </button>
      <p>
        <Whose task={task} onChoose={onChoose} /> <LastedFor since={task.since} word="·" />
      </p>
      <Upstreams task={task} all={all} />
      {task.note !== undefined && <p className={`wrap${task.status === "failed" ? " reason" : ""}`}>{task.note}</p>}
      {isChosen && <TaskDetail task={task} all={all} onChoose={onChoose} />}
    </li>
  );
}

function Whose({ task, onChoose }: Omit<CardProps, "all">) {
  const { owner, assignee, agentType } = task;
  const name = owner ?? assignee;
  if (name !== undefined)
    return (
      <>
        {owner === undefined && "for "}
        <ActorLink name={name} onChoose={onChoose} />
      </>
    );
  return <>{agentType === undefined ? "for anybody" : `for any ${agentType}`}</>;
}

function Upstreams({ task: { dependsOn, waitingOn }, all }: Omit<CardProps, "onChoose">) {
  if (dependsOn.length === 0) return null;
  return (
    <p className="task-links">
      <span className="dim">{waitingOn.length > 0 ? "waits for" : "waited for"}</span>
      {dependsOn.map((id) => (
        <TaskLink key={id} task={id} all={all} />
      ))}
    </p>
  );
}

/** A task by its number, with how it stands; it leads there. */
function TaskLink({ task, all }: { readonly task: number; readonly all: readonly TaskStatus[] }) {
  const { go } = useSession();
  const found = all[task - 1];
  return (
    <button type="button" className="link" title={found?.subject} onClick={() => go({ task })}>
      {found !== undefined && <StateMark state={markOf(found.status)} label={words(found.status)} />} #{task}
    </button>
  );
}

function TaskDetail({ task, all, onChoose }: CardProps) {
  const downstream = all.filter(({ dependsOn }) => dependsOn.includes(task.task));
  return (
    <div className="task-detail">
      {task.description !== undefined && <p className="wrap task">{task.description}</p>}
      {downstream.length > 0 && (
        <p className="task-links">
          <span className="dim">waited for by</span>
          {downstream.map((each) => (
            <TaskLink key={each.task} task={each.task} all={all} />
          ))}
        </p>
      )}
      <p>
        <span className="dim">added by</span> <ActorLink name={task.addedBy} onChoose={onChoose} />
        {task.agentType !== undefined && <span className="dim"> · only for {task.agentType}</span>}
      </p>
      <TaskHistory task={task.task} onChoose={onChoose} />
      <TaskActions task={task} />
    </div>
  );
}

/** Every change of a task up to the place that is shown; each leads to its input. */
function TaskHistory({ task, onChoose }: { readonly task: number; readonly onChoose: (name: string) => void }) {
  const { model, seek } = useSession();
  const { timeline } = model;
  const team = useShown(({ session }) => session.team?.token ?? "");
  const position = useShown((shown) => shown.position);
  const moves = model.tasks.of(team, task).filter(({ index }) => index < position);
  const [first] = moves;
  const isDeclared =
    first === undefined || timeline.entries[first.index]?.steps[first.step]?.event.type !== "task.added";
  return (
    <ol className="way" aria-label={`What became of task #${task}`}>
      {isDeclared && <li className="dim">declared with the team</li>}
      {moves.map(({ index, step }) => {
        const entry = timeline.entries[index];
        const own = entry?.steps[step];
        if (entry === undefined || own === undefined) return null;
        const line = eventLines(timeline.head, { steps: [own] }, entry.record)[0];
        if (line === undefined) return null;
        const { event, seq } = line;
        const [input] = eventLines(timeline.head, { steps: entry.steps.slice(0, 1) }, entry.record);
        return (
          <li key={`${index} ${step}`}>
            <button type="button" className="link mono" onClick={() => seek(index + 1)}>
              #{seq}
            </button>{" "}
            {typeof event["status"] === "string" && words(event["status"])}
            {typeof event["owner"] === "string" && (
              <>
                {" "}
                of <ActorLink name={event["owner"]} onChoose={onChoose} />
              </>
            )}{" "}
            <span className="dim">
              by {input?.from ?? "?"}, {input?.event.type}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
