import type { Applied, FactReader, KernelRecord, SessionState } from "../../machines/index.ts";
import { isOver, teamState, type JudgedStep } from "./guarantee.ts";
import { movedMember, type MovedMember } from "./moved-member.ts";

/** What a judged step is made from. */
type Taken = Pick<JudgedStep, "before" | "after" | "record" | "applied" | "facts">;

/** A step for guarantees; what several of them look at is worked out once. */
export class StepToJudge implements JudgedStep {
  readonly before: SessionState;
  readonly after: SessionState;
  readonly record: KernelRecord;
  readonly applied: Applied;
  readonly facts: FactReader;
  #changed: JudgedStep["changed"] | null = null;
  #moved: JudgedStep["moved"] | null = null;

  constructor({ before, after, record, applied, facts }: Taken) {
    this.before = before;
    this.after = after;
    this.record = record;
    this.applied = applied;
    this.facts = facts;
  }

  get changed(): JudgedStep["changed"] {
    return (this.#changed ??= changedBy(this));
  }

  get moved(): JudgedStep["moved"] {
    return (this.#moved ??= movedBy(this, this.changed));
  }
}

/** Seen in the records: what the kernel says that it has changed is one of the things to be judged. */
function changedBy({ before, after }: Taken): JudgedStep["changed"] {
  const changed: JudgedStep["changed"][number][] = [];
  for (const [token, is] of after.members) {
    const was = before.members.get(token) ?? null;
    if (is !== was) changed.push([was, is]);
  }
  return changed;
}

function movedBy(step: Taken, changed: JudgedStep["changed"]): MovedMember[] {
  const { before, after, record, applied, facts } = step;
  if (applied.verdict !== "handled") return [];
  const state = teamState({ session: after, facts });
  const isLeaving = state === "dissolving" || isOver(state);
  const moved: MovedMember[] = [];
  if (record.input.event.type === "owner.claimed") {
    // Every run begins anew.
    for (const is of after.members.values()) {
      const was = before.members.get(is.token);
      if (was !== undefined) moved.push(movedMember(step, was, is, isLeaving));
    }
    return moved;
  }
  for (const [was, is] of changed) if (was !== null) moved.push(movedMember(step, was, is, isLeaving));
  return moved;
}
