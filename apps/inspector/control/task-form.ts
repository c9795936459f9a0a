import type { TaskChange, TaskSpecInput, TaskStatus } from "teamchart/protocol";

/** A task as the form has it: all as text. */
export interface TaskForm {
  readonly subject: string;
  readonly description: string;
  /** Numbers, with or without `#`, apart by commas or spaces. */
  readonly dependsOn: string;
  readonly priority: string;
  /** Empty = anybody. */
  readonly assignee: string;
  readonly agentType: string;
}

/** Nothing filled in. */
export const emptyTask: TaskForm = {
  subject: "",
  description: "",
  dependsOn: "",
  priority: "0",
  assignee: "",
  agentType: "",
};

/** A task as it is now. */
export const filledTask = (task: TaskStatus): TaskForm => ({
  subject: task.subject,
  description: task.description ?? "",
  dependsOn: task.dependsOn.join(", "),
  priority: String(task.priority),
  assignee: task.assignee ?? "",
  agentType: task.agentType ?? "",
});

const words = (text: string): string[] => text.split(/[\s,#]+/).filter((word) => word !== "");
const numbersOf = (text: string): number[] => words(text).map(Number);
const isWhole = (text: string): boolean => /^-?\d+$/.test(text.trim());

/** Whether it can be sent; what else may be wrong with it the service says. */
export const isComplete = ({ subject, dependsOn, priority }: TaskForm): boolean =>
  subject.trim() !== "" && isWhole(priority) && words(dependsOn).every((word) => /^\d+$/.test(word));

/** What the form asks to be added. */
export const newTask = ({
  subject,
  description,
  dependsOn,
  priority,
  assignee,
  agentType,
}: TaskForm): TaskSpecInput => ({
  subject: subject.trim(),
  dependsOn: numbersOf(dependsOn),
  priority: Number(priority),
  ...(description.trim() === "" ? {} : { description }),
  ...(assignee === "" ? {} : { assignee }),
  ...(agentType === "" ? {} : { agentType }),
});

/** What the form changes of a task: only that is sent, so that nothing is set back that somebody else changed meanwhile. */
export function changedFields(before: TaskForm, after: TaskForm): Omit<TaskChange, "task"> {
  const isChanged = (key: keyof TaskForm): boolean => before[key] !== after[key];
  return {
    ...(isChanged("subject") && { subject: after.subject.trim() }),
    ...(isChanged("description") && { description: after.description.trim() === "" ? null : after.description }),
    ...(isChanged("dependsOn") && { dependsOn: numbersOf(after.dependsOn) }),
    ...(isChanged("priority") && { priority: Number(after.priority) }),
    ...(isChanged("assignee") && { assignee: after.assignee === "" ? null : after.assignee }),
    ...(isChanged("agentType") && { agentType: after.agentType === "" ? null : after.agentType }),
  };
}
