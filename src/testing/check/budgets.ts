/** What interventions of the world cost, each its own budget. What runs do by themselves costs nothing. */
export const budgetKinds = [
  "outcomes",
  "late",
  "duplicate",
  "message",
  "replan",
  "dissolve",
  "permission",
  "owner",
  "lost",
  "timer",
  "interrupt",
  "outside",
  "invite",
  "hook",
  "task",
] as const;

/**
 * One kind of intervention: `outcomes` failures and odd outcomes of runs; `late` reports of runs and owners that are over;
 * `duplicate` what arrives twice or ahead of its turn; `message` mail and prompts; `replan` and `dissolve` changes of the
 * team, forbidden ones too; `permission` requests; `owner` changes of the owner; `lost` runs; `timer` timers that are due;
 * `interrupt` what the user ends while it is done; `outside` calls that wait for somebody outside, their results when they
 * come too early, too late or twice, and wake-ups; `invite` invitations of the model's `invitable` agents; `hook` what
 * `hooks` of the host don't let pass; `task` what is done to the tasks of a team with a board.
 */
export type Budget = (typeof budgetKinds)[number];

/** How often each may happen; what is left out may not happen at all. */
export type Budgets = Readonly<Partial<Record<Budget, number>>>;

interface Row {
  readonly left: readonly number[];
  readonly total: number;
  /** Per kind, the row after one of it was spent; -1 = not worked out yet. */
  readonly next: number[];
}

/** What is left of a set of budgets, interned: a small number for every combination that occurs. */
export class BudgetTable {
  /** With nothing spent. */
  readonly initial: number;
  readonly #rows: Row[] = [];
  readonly #ids = new Map<string, number>();
  readonly #covers = new Map<number, boolean>();

  /** `faultsMax` bounds how many interventions there are in all. */
  constructor(budgets: Budgets, faultsMax = Infinity) {
    const left = budgetKinds.map((kind) => budgets[kind] ?? 0);
    const sum = left.reduce((total, each) => total + each, 0);
    this.initial = this.#intern(left, Math.min(sum, faultsMax));
  }

  /** How many of a kind are left. */
  left(id: number, kind: Budget): number {
    return this.#rows[id]?.left[budgetKinds.indexOf(kind)] ?? 0;
  }

  /** What is left after one of this kind, which there must be. */
  spend(id: number, kind: Budget): number {
    const row = this.#rows[id];
    const index = budgetKinds.indexOf(kind);
    if (row === undefined || (row.left[index] ?? 0) === 0) throw new RangeError(`no ${kind} is left`);
    const known = row.next[index] ?? -1;
    if (known >= 0) return known;
    const left = row.left.map((each, position) => (position === index ? each - 1 : each));
    const next = this.#intern(left, row.total - 1);
    row.next[index] = next;
    return next;
  }

  /** Whether whatever may happen with `b` left may happen with `a` left too. */
  covers(a: number, b: number): boolean {
    if (a === b) return true;
    const key = a * 1_000_000 + b;
    let covers = this.#covers.get(key);
    if (covers === undefined) {
      const [more, less] = [this.#rows[a], this.#rows[b]];
      covers =
        more !== undefined &&
        less !== undefined &&
        more.total >= less.total &&
        less.left.every((each, index) => (more.left[index] ?? 0) >= each);
      this.#covers.set(key, covers);
    }
    return covers;
  }

  /** No kind can be used more often than there are interventions left, so a row says no more than that. */
  #intern(given: readonly number[], faults: number): number {
    const capped = given.map((each) => Math.min(each, faults));
    const total = Math.min(
      faults,
      capped.reduce((sum, each) => sum + each, 0),
    );
    const key = `${capped.join()}/${total}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#rows.length;
      this.#ids.set(key, id);
      this.#rows.push({ left: capped, total, next: capped.map(() => -1) });
    }
    return id;
  }
}
