/**
 * How to work with a task board. These texts are at the front of every prompt of a team that has one, so nothing in them
 * changes while a system lives.
 */
export const boardDescriptions = {
  team_task_add: `Put a task on the team's board. Everybody of the team sees it. The result tells its number; from then on it is known by it.
- subject says in one line what is to be done; description all that its owner must know, for it may see nothing else.
- dependsOn: numbers of tasks that must be completed first. Until then it is blocked.
- Higher priority is taken first. assignee names the one member that may take it (the Lead may name anybody, a member only itself); left out, it is for whoever may take tasks.`,
  team_task_claim: `Take a task and work on it. A member takes tasks for itself and leaves owner out; the Lead gives a task to a member by naming it as owner.
- Leave task out to take the next one that is open to you: the highest priority, then the lowest number. task: null means that there is none: do not ask again, end your turn; you are woken when there is one.
- The result has the whole description. From then on the task is in progress and yours alone.
- Close it with team_task_update. Delivering with complete also completes whatever you have in progress.`,
  team_task_update: `Say how a task went, or change it. Its owner closes it: status completed, failed (say why in note), or pending to give it back. Only the Lead also changes what the task is and who may take it, cancels tasks, and opens closed ones again (pending).
- note: what came of it in a sentence or two; put more into files of the workspace.
- Whatever depended on a completed task can be taken from then on (unblocked).
- A failed task keeps the team from finishing until it is opened again or cancelled.`,
  team_task_list: `See the team's board: tasks with status, owner, and what they wait for (waitingOn). blocked ones wait for other tasks. Give task to read one with its description, or status or owner to see certain ones. Never call it in a loop: you are told when a task is for you.`,
} as const;

/** What `team_create` says of tasks where teams have a board. */
export const boardCreateText = `The task board:
- tasks puts work onto the team's board, from which members take it. Number them in your mind from 1 in the order in which you list them: dependsOn of a task names these numbers.
- Use it for work that comes in many pieces, or that nobody is to do in particular. Work for one member belongs into its prompt.
- The team is finished when all members and all tasks are.`;
