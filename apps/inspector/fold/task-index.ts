import type { Entry } from "./entry.ts";

/** A change of a task: the place of its entry, and the step of it that tells of the change. */
export interface TaskMove {
  readonly index: number;
  readonly step: number;
}

const none: readonly TaskMove[] = [];
const keyOf = (team: string, task: number): string => `${team} ${task}`;

/** Where on the timeline each task of each team's board was changed. Grows with the timeline. */
export class TaskIndex {
  readonly #moves = new Map<string, TaskMove[]>();

  /** The changes of a task of the team of this token, ascending. */
  of(team: string, task: number): readonly TaskMove[] {
    return this.#moves.get(keyOf(team, task)) ?? none;
  }

  clear(): void {
    this.#moves.clear();
  }

  append({ steps }: Entry, index: number): void {
    for (const [step, { actor, event }] of steps.entries()) {
      const { task } = event as { readonly task?: unknown };
      // The command itself has a number too; what it did follows from it.
      if (step === 0 || !event.type.startsWith("task.") || typeof task !== "number") continue;
      const key = keyOf(actor, task);
      const moves = this.#moves.get(key);
      if (moves === undefined) this.#moves.set(key, [{ index, step }]);
      else moves.push({ index, step });
    }
  }
}
