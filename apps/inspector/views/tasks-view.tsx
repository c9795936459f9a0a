import { useMemo, useState } from "react";
import { taskStatuses } from "teamchart/machines";
import type { TaskState, TaskStatus } from "teamchart/protocol";
import { AddTaskDialog } from "../control/task-dialogs.tsx";
import { words, type ActorRef } from "../fold/actors.ts";
import { Empty } from "../parts/empty.tsx";
import { countText } from "../parts/format.ts";
import { OnlyActor } from "../parts/only-actor.tsx";
import { useSession, useShown } from "../session-context.ts";
import { TaskCard } from "./task-card.tsx";

interface TasksProps {
  readonly actor: ActorRef | null;
  readonly onChoose: (name: string) => void;
}

/** In the order in which somebody who looks after a team has to do with them. */
const states: readonly TaskState[] = ["failed", "in_progress", "pending", "blocked", "completed", "cancelled"];

/** What a task that may be taken is called for people: nobody works on it yet. */
const stateText = (state: TaskState): string => (state === "pending" ? "free to take" : words(state));

/** Tasks of one state that are drawn before somebody asks for more. */
const pageOf = 60;

/** The team's task board: what is to be done, by whom, what it waits for, and how it went. */
export function TasksView({ actor, onChoose }: TasksProps) {
  const { command } = useSession();
  const [onlyActor, setOnlyActor] = useState(false);
  const [isAdding, setAdding] = useState(false);
  // The board is replaced when it changes: names and numbers in it stay what they are.
  const { board, session } = useShown(
    (shown) => ({ board: shown.session.team?.board ?? null, session: shown.session }),
    (a, b) => a.board === b.board,
  );
  const isOpen = useShown(({ atHead, session: { team } }) => atHead && team !== null);
  const tasks = useMemo(() => (board === null ? null : (taskStatuses(session) ?? [])), [board, session]);
  if (board === null || tasks === null)
    return (
      <Empty title="No task board">
        This team has none: its members do what they were told. A team gets one by <code>board</code> or{" "}
        <code>tasks</code> in its declaration.
      </Empty>
    );
  const shown = onlyActor && actor !== null ? tasks.filter((task) => concerns(task, actor.name)) : tasks;
  return (
    <div className="tasks">
      <div className="view-bar">
        <span className="dim">
          {board.selfClaim ? "Members take tasks themselves" : "Tasks are given out"}; if an owner goes, its task{" "}
          {board.onOwnerGone === "release" ? "is free again" : "fails"}
        </span>
        <OnlyActor name={actor?.name ?? null} checked={onlyActor} onToggle={() => setOnlyActor(!onlyActor)} />
        {command !== null && isOpen && (
          <button type="button" className="button" onClick={() => setAdding(true)}>
            Add a task…
          </button>
        )}
        <span className="dim spread-end">
          {countText(board.unfinished)} of {countText(tasks.length)} to do
        </span>
      </div>
      <div className="task-groups">
        {shown.length === 0 && <Empty title={tasks.length === 0 ? "The board is empty" : "No task of this actor"} />}
        {states.map((state) => (
          <TaskGroup
            key={state}
            state={state}
            tasks={shown.filter(({ status }) => status === state).toSorted(byPriority)}
            all={tasks}
            onChoose={onChoose}
          />
        ))}
      </div>
      {isAdding && <AddTaskDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

/** As they are taken: by priority, then by number. */
const byPriority = (a: TaskStatus, b: TaskStatus): number => b.priority - a.priority || a.task - b.task;

const concerns = ({ owner, assignee, addedBy }: TaskStatus, name: string): boolean =>
  owner === name || assignee === name || addedBy === name;

function TaskGroup({
  state,
  tasks,
  all,
  onChoose,
}: {
  readonly state: TaskState;
  readonly tasks: readonly TaskStatus[];
  readonly all: readonly TaskStatus[];
  readonly onChoose: (name: string) => void;
}) {
  const { place } = useSession();
  const [max, setMax] = useState(pageOf);
  if (tasks.length === 0) return null;
  // The task of the address is drawn however far down it stands.
  const wanted = tasks.findIndex(({ task }) => task === place.task) + 1;
  const count = Math.max(max, wanted);
  const name = `tasks-${state}`;
  return (
    <section aria-labelledby={name}>
      <h3 id={name}>
        {stateText(state)} <span className="count">{tasks.length}</span>
      </h3>
      <ul className="cards task-cards">
        {tasks.slice(0, count).map((task) => (
          <TaskCard key={task.task} task={task} all={all} onChoose={onChoose} />
        ))}
      </ul>
      {tasks.length > count && (
        <button type="button" className="link" onClick={() => setMax(max + 10 * pageOf)}>
          {countText(tasks.length - count)} more
        </button>
      )}
    </section>
  );
}
