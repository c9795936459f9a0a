import {
  cloneSession,
  desiredRuns,
  desiredTimers,
  type DesiredRun,
  type DesiredTimer,
  type FactReader,
  type SessionState,
} from "../../machines/index.ts";
import type { JudgedState } from "./guarantee.ts";
import { recordOf } from "./model-record.ts";
import type { MoveInput } from "./move.ts";
import { Situations } from "./situations.ts";
import type { TeamModel } from "./team-model.ts";

/** What was tried in a check, by the situations in which it was. */
export class Tried {
  readonly situations: Situations;
  readonly #texts = new Set<string>();

  constructor(facts: FactReader) {
    this.situations = new Situations(facts);
  }

  readonly isNew = (situation: string): boolean => !this.#texts.has(situation) && this.#texts.add(situation).size > 0;
}

/** A state for guarantees; what several of them look at is worked out once. */
export class StateToJudge implements JudgedState {
  readonly session: SessionState;
  readonly facts: FactReader;
  readonly isNew: JudgedState["isNew"];
  readonly #model: Pick<TeamModel, "kernel">;
  readonly #situations: Situations;
  #runs: readonly DesiredRun[] | null = null;
  #timers: readonly DesiredTimer[] | null = null;
  #isUntried: boolean | null = null;

  constructor(session: SessionState, model: Pick<TeamModel, "kernel" | "facts">, tried: Tried) {
    this.session = session;
    this.facts = model.facts;
    this.isNew = tried.isNew;
    this.#model = model;
    this.#situations = tried.situations;
  }

  get runs(): readonly DesiredRun[] {
    return (this.#runs ??= desiredRuns(this.session, this.facts));
  }

  get timers(): readonly DesiredTimer[] {
    return (this.#timers ??= desiredTimers(this.session));
  }

  get isUntried(): boolean {
    return (this.#isUntried ??= this.#situations.isUntried(this.session, this.facts));
  }

  readonly probe = (input: MoveInput): ReturnType<JudgedState["probe"]> => {
    const session = cloneSession(this.session);
    const record = recordOf(session, input);
    return { session, step: { record, applied: this.#model.kernel.apply(session, record) } };
  };
}
