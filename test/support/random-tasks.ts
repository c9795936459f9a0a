import type { InputEvent } from "../../src/protocol/input.ts";
import { TaskSpec, type TaskChange, type TaskSpecInput } from "../../src/protocol/task.ts";

/** Chooses a number below `max`. */
type Take = (max: number) => number;

const pick = <T>(values: readonly T[], take: Take): T => values[take(values.length)]!;

/** Up to three tasks of a board, some of them for one of these members. */
export const randomTasks = (names: readonly string[], take: Take): TaskSpecInput[] =>
  Array.from({ length: take(4) }, (_, index) => ({
    subject: `task ${index + 1}`,
    priority: take(3),
    dependsOn: index > 0 && take(2) === 0 ? [index] : [],
    ...(take(3) === 0 ? { assignee: pick(names, take) } : {}),
    ...(take(3) === 0 ? { description: "all of it", agentType: "general" } : {}),
  }));

/** Something that is done to a board; `owners` are named by whoever gives tasks to others, null = it takes them itself. */
export function randomTaskCommand(
  owners: readonly string[] | null,
  take: Take,
): { readonly event: InputEvent; readonly plan?: TaskSpec | TaskChange } {
  const task = 1 + take(4);
  const named = owners === null ? {} : { owner: pick(owners, take) };
  const status = pick(["pending", "completed", "failed", "cancelled"] as const, take);
  const assignee = pick(owners ?? ["A"], take);
  const update = { type: "task.update", plan: "p" } as const;
  return pick<ReturnType<typeof randomTaskCommand>>(
    [
      { event: { type: "task.claim", ...named } },
      { event: { type: "task.claim", task, ...named } },
      { event: { type: "task.add", plan: "p" }, plan: TaskSpec.parse({ subject: "more", dependsOn: [task] }) },
      { event: update, plan: { task, status, note: "as it went" } },
      { event: update, plan: { task, assignee, priority: 2 } },
    ],
    take,
  );
}
