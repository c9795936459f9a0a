import { useState } from "react";
import { membersInOrder } from "teamchart/machines";
import type { TaskStatus } from "teamchart/protocol";
import { Choice, Field } from "../parts/fields.tsx";
import { useSession, useShown } from "../session-context.ts";
import { Dialog } from "./dialog.tsx";
import { changedFields, emptyTask, filledTask, isComplete, newTask, type TaskForm } from "./task-form.ts";

type Move = "pending" | "completed" | "failed" | "cancelled";
type Action = Move | "give" | "change";

/** What can be done with a task in each state, and what the button says. */
const actions: Readonly<Record<TaskStatus["status"], readonly (readonly [Action, string])[]>> = {
  pending: [
    ["give", "Give…"],
    ["change", "Change…"],
    ["completed", "Complete…"],
    ["cancelled", "Cancel…"],
  ],
  blocked: [
    ["change", "Change…"],
    ["cancelled", "Cancel…"],
  ],
  in_progress: [
    ["completed", "Complete…"],
    ["failed", "Fail…"],
    ["pending", "Take back…"],
    ["cancelled", "Cancel…"],
  ],
  failed: [
    ["pending", "Open again…"],
    ["cancelled", "Cancel…"],
  ],
  completed: [["pending", "Open again…"]],
  cancelled: [["pending", "Open again…"]],
};

/** What can be done with a task; nothing where the page may only look, or looks back. */
export function TaskActions({ task }: { readonly task: TaskStatus }) {
  const { command, facts } = useSession();
  const atHead = useShown((shown) => shown.atHead);
  const state = useShown(({ session }) => (session.team === null ? "" : facts.team(session.team.snapshot)));
  const [open, setOpen] = useState<Action | null>(null);
  const isActive = state === "running" || state === "stalled" || state === "finished";
  if (command === null || !atHead || !isActive) return null;
  const close = (): void => setOpen(null);
  return (
    <div className="actions" role="group" aria-label={`Act on task #${task.task}`}>
      {actions[task.status].map(([action, label]) => (
        <button
          key={action}
          type="button"
          className={action === "cancelled" || action === "failed" ? "button danger-quiet" : "button"}
          onClick={() => setOpen(action)}
        >
          {label}
        </button>
      ))}
      {open === "give" && <GiveDialog task={task} onClose={close} />}
      {open === "change" && <ChangeDialog task={task} onClose={close} />}
      {open !== null && open !== "give" && open !== "change" && <MoveDialog task={task} to={open} onClose={close} />}
    </div>
  );
}

interface DialogProps {
  readonly task: TaskStatus;
  readonly onClose: () => void;
}

const moveTexts: Readonly<Record<Move, { title: string; action: string; isDanger: boolean; text: string }>> = {
  pending: {
    title: "Open again",
    action: "Open it",
    isDanger: false,
    text: "Nobody has it any more, and it may be taken by whoever may do it. What was completed and waited for it is done already.",
  },
  completed: {
    title: "Complete",
    action: "Complete it",
    isDanger: false,
    text: "It counts as done, and what waits for it may go on.",
  },
  failed: {
    title: "Fail",
    action: "Fail it",
    isDanger: true,
    text: "It could not be done. The team can't finish before somebody decides what becomes of it.",
  },
  cancelled: {
    title: "Cancel",
    action: "Cancel it",
    isDanger: true,
    text: "Nobody is to do it. What waits for it stays blocked until it gets other dependencies.",
  },
};

function MoveDialog({ task, to, onClose }: DialogProps & { readonly to: Move }) {
  const { command } = useSession();
  const [note, setNote] = useState("");
  if (command === null) return null;
  const { title, action, isDanger, text } = moveTexts[to];
  const body = { status: to, ...(note.trim() === "" ? {} : { note: note.trim() }) };
  return (
    <Dialog
      title={`${title}: #${task.task} ${task.subject}`}
      action={action}
      isDanger={isDanger}
      onClose={onClose}
      onConfirm={() => command(`tasks/${task.task}`, body)}
    >
      <p>{text}</p>
      <input
        type="text"
        maxLength={600}
        value={note}
        placeholder="A note (optional)"
        aria-label="Note"
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  );
}

/** Who may be given work: all that are not gone. */
function useNames(): readonly string[] {
  const { facts } = useSession();
  const session = useShown((shown) => shown.session);
  return membersInOrder(session).flatMap(({ name, snapshot }) => {
    const { work, presence } = facts.member(snapshot);
    const isGone = work === "failed" || work === "cancelled" || presence === "shutdown" || presence === "draining";
    return isGone ? [] : [name];
  });
}

function GiveDialog({ task, onClose }: DialogProps) {
  const { command } = useSession();
  const names = useNames();
  const [owner, setOwner] = useState(task.assignee ?? "");
  if (command === null) return null;
  return (
    <Dialog
      title={`Give: #${task.task} ${task.subject}`}
      action="Give it"
      isReady={owner !== ""}
      onClose={onClose}
      onConfirm={() => command("tasks/claim", { task: task.task, owner })}
    >
      <p className="dim">It is in progress at once, and its owner is told; an idle one is woken.</p>
      <Field label="To">
        <Choice label="To" value={owner} values={["", ...names]} onChange={setOwner} />
      </Field>
    </Dialog>
  );
}

function ChangeDialog({ task, onClose }: DialogProps) {
  const { command } = useSession();
  const [before] = useState(() => filledTask(task));
  const [form, setForm] = useState(before);
  if (command === null) return null;
  const change = changedFields(before, form);
  return (
    <Dialog
      title={`Change: #${task.task}`}
      action="Change it"
      isReady={isComplete(form) && Object.keys(change).length > 0}
      onClose={onClose}
      onConfirm={() => command(`tasks/${task.task}`, change)}
    >
      <TaskFields form={form} setForm={setForm} />
    </Dialog>
  );
}

/** Puts a task onto the board. */
export function AddTaskDialog({ onClose }: { readonly onClose: () => void }) {
  const { command } = useSession();
  const [form, setForm] = useState(emptyTask);
  if (command === null) return null;
  return (
    <Dialog
      title="Add a task"
      action="Add it"
      isReady={isComplete(form)}
      onClose={onClose}
      onConfirm={() => command("tasks", newTask(form))}
    >
      <TaskFields form={form} setForm={setForm} />
    </Dialog>
  );
}

function TaskFields({ form, setForm }: { readonly form: TaskForm; readonly setForm: (form: TaskForm) => void }) {
  const names = useNames();
  const types = useShown(({ session }) => session.config?.agentTypes ?? []);
  const set = (change: Partial<TaskForm>): void => setForm({ ...form, ...change });
  return (
    <div className="task-fields">
      <Field label="What is to be done">
        <input type="text" value={form.subject} onChange={(event) => set({ subject: event.target.value })} />
      </Field>
      <Field label="All that its owner must know (optional)">
        <textarea rows={4} value={form.description} onChange={(event) => set({ description: event.target.value })} />
      </Field>
      <Field label="Waits for the tasks (numbers)">
        <input
          type="text"
          inputMode="numeric"
          placeholder="none"
          value={form.dependsOn}
          onChange={(event) => set({ dependsOn: event.target.value })}
        />
      </Field>
      <Field label="Priority (higher is taken first)">
        <input
          type="text"
          inputMode="numeric"
          value={form.priority}
          onChange={(event) => set({ priority: event.target.value })}
        />
      </Field>
      <Field label="Only for">
        <Choice
          label="Only for"
          value={form.assignee}
          values={
            form.assignee === "" || names.includes(form.assignee) ? ["", ...names] : ["", form.assignee, ...names]
          }
          none="anybody"
          onChange={(assignee) => set({ assignee })}
        />
      </Field>
      <Field label="Only for the agent type">
        <Choice
          label="Only for the agent type"
          value={form.agentType}
          values={["", ...types.map(({ name }) => name)]}
          none="any"
          onChange={(agentType) => set({ agentType })}
        />
      </Field>
    </div>
  );
}
