import type {
  Applied,
  DesiredRun,
  DesiredTimer,
  FactReader,
  KernelRecord,
  MemberFacts,
  MemberRecord,
  SessionState,
} from "../../machines/index.ts";
import type { MoveInput } from "./move.ts";
import type { MovedMember } from "./moved-member.ts";

/** A settled state, for a guarantee. */
export interface JudgedState {
  readonly session: SessionState;
  readonly facts: FactReader;
  /** The runs and the timers that must be alive. */
  readonly runs: readonly DesiredRun[];
  readonly timers: readonly DesiredTimer[];
  /** What an input would do here, on a copy. */
  readonly probe: (input: MoveInput) => {
    readonly session: SessionState;
    readonly step: { readonly record: KernelRecord; readonly applied: Applied };
  };
  /** Whether a situation is met for the first time in this check: what is tried in each needs no second try. */
  readonly isNew: (situation: string) => boolean;
  /** Whether any situation here can be new: see `Situations`. Where none can, there is nothing to try. */
  readonly isUntried: boolean;
}

/** One step from a settled state to the next, for a guarantee. */
export interface JudgedStep {
  readonly before: SessionState;
  readonly after: SessionState;
  readonly record: KernelRecord;
  readonly applied: Applied;
  readonly facts: FactReader;
  /** Every member that this step changed, as it was (null = it was not there) and as it is. */
  readonly changed: readonly (readonly [was: MemberRecord | null, is: MemberRecord])[];
  /** Members that an input that was carried out may have moved: those that it changed, or all for a new owner. */
  readonly moved: readonly MovedMember[];
}

/** A guarantee of Teamchart as a property: what is wrong, or null. */
export interface Guarantee {
  /** Its number and what it promises. */
  readonly name: string;
  readonly state?: (state: JudgedState) => string | null;
  readonly step?: (step: JudgedStep) => string | null;
  /** What a step says of itself: answers, notices, mail, versions. Asked once all that it did is right. */
  readonly told?: (step: JudgedStep) => string | null;
  /** What no move of the world does in a state, tried on copies of it. Asked once the state itself is right. */
  readonly tried?: (state: JudgedState) => string | null;
}

/** The team's state in one word. */
export const teamState = ({ session, facts }: Pick<JudgedState, "session" | "facts">): string =>
  session.team === null ? "none" : facts.team(session.team.snapshot);

/** Whether a team of this state is over for good. */
export const isOver = (state: string): boolean => state === "completed" || state === "failed" || state === "dissolved";

/** Whether a team is on its way out, or gone. */
export function isLeaving(session: SessionState, facts: FactReader): boolean {
  const state = teamState({ session, facts });
  return state === "dissolving" || isOver(state);
}

/** Whether a member reads no more: a plan may try it again, and until then nobody writes to it. */
export const isGone = ({ work, presence }: MemberFacts): boolean => work === "failed" || presence === "shutdown";
