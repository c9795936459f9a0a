import { cloneSession, createKernel, type KernelRecord, type SessionState } from "../../machines/index.ts";
import type { FoldObserver } from "../recording-fold.ts";
import { foldRecording, type RecordingSource, type Replayed } from "../replay.ts";
import { inputParts } from "./input-text.ts";
import { allLive } from "./live-data.ts";
import { recordOf } from "./model-record.ts";
import type { Move } from "./move.ts";
import { recordedMove } from "./recorded-moves.ts";
import { StateEncoder } from "./state-encoder.ts";
import { Symmetry } from "./symmetry.ts";
import { worldMoves } from "./world-moves.ts";

/** What came of holding a recording against the model. */
export interface Conformance {
  /** Inputs that are moves of the model, by the move's name, in order. */
  readonly path: readonly string[];
  /**
   * Those of them that no check explores: what is asked for with texts, sizes and plans that only the recording knows, and
   * what comes later than the moves `late` try. What they do is checked here; whether they may do it in every state is not.
   */
  readonly beyond: readonly string[];
  /** Inputs that no move of the model stands for, or that do something else than their move. */
  readonly problems: readonly { readonly seq: number; readonly problem: string }[];
  /** Why the recording has no end, or null: what there is of it was checked. */
  readonly truncated: Replayed["truncated"];
}

/**
 * Whether a recorded session is a path of the model: every input is one of the moves that the model has in that state, up to
 * names of runs and calls, texts and times, and leads to the same state. So what `checkModel` says of such moves speaks of
 * this run too.
 *
 * Takes what `replay` takes and throws what it throws: a changed line is `replay_mismatch`, other machines are
 * `machine_version`, a file that cannot be read is `bad_file`.
 */
export async function checkRecording(source: RecordingSource): Promise<Conformance> {
  const walk = new RecordedWalk();
  const { truncated } = await foldRecording(source, {}, walk);
  const { path, beyond, problems } = walk;
  return { path, beyond, problems, truncated };
}

/** A move that an input may be, and where it leads. */
interface Candidate {
  readonly move: Move;
  readonly isBeyond: boolean;
  readonly key: string;
}

interface Known {
  readonly move: Move;
  readonly parts: readonly string[];
}

/** Says that no move is this input, and which one differs in the fewest parts. */
function noMove(parts: readonly string[], moves: readonly Known[]): string {
  const what = `no move is ${parts.join(", ")}`;
  const distance = (known: Known): number => {
    const longest = Math.max(parts.length, known.parts.length);
    let differing = 0;
    for (let index = 0; index < longest; index++) if (parts[index] !== known.parts[index]) differing++;
    // The same thing said otherwise is nearer than another thing of the same actor.
    return differing + (parts[0] === known.parts[0] ? 0 : 10);
  };
  const [nearest] = moves.toSorted((a, b) => distance(a) - distance(b));
  if (nearest === undefined) return `${what}; nothing may happen here`;
  return `${what}; the nearest one, "${nearest.move.name}", is ${nearest.parts.join(", ")}`;
}

class RecordedWalk implements FoldObserver {
  readonly path: string[] = [];
  readonly beyond: string[] = [];
  readonly problems: { seq: number; problem: string }[] = [];
  readonly #kernel = createKernel();
  readonly #encoder = new StateEncoder(new Symmetry(false));
  /** What the input at hand may be, the moves that checks explore first. */
  #candidates: Candidate[] = [];
  #seq = 0;

  before(session: SessionState, record: KernelRecord): void {
    const { facts } = this.#kernel.steppers;
    const world = { session, facts, callsMax: Infinity, journals: true, replans: [], invitable: [], hooks: true };
    const parts = inputParts(session, record);
    const moves = worldMoves({ ...world, wants: () => true }).map((move): Known => ({
      move,
      parts: inputParts(session, recordOf(session, move.input)),
    }));
    const explored = moves.filter((known) => known.parts.join() === parts.join()).map(({ move }) => move);
    const family = recordedMove(world, record);
    this.#seq = record.seq;
    this.#candidates = [
      ...explored.map((move) => this.#make(session, move, false)),
      ...(family === null ? [] : [this.#make(session, family, true)]),
    ];
    if (this.#candidates.length === 0) this.problems.push({ seq: record.seq, problem: noMove(parts, moves) });
  }

  after(session: SessionState): void {
    const [first] = this.#candidates;
    if (first === undefined) return;
    const key = this.#keyOf(session);
    const found = this.#candidates.find((each) => each.key === key);
    if (found === undefined)
      this.problems.push({ seq: this.#seq, problem: `it leads elsewhere than "${first.move.name}" does` });
    const { move, isBeyond } = found ?? first;
    this.path.push(move.name);
    if (isBeyond) this.beyond.push(move.name);
  }

  #make(session: SessionState, move: Move, isBeyond: boolean): Candidate {
    const copy = cloneSession(session);
    this.#kernel.apply(copy, recordOf(copy, move.input));
    return { move, isBeyond, key: this.#keyOf(copy) };
  }

  #keyOf(session: SessionState): string {
    this.#encoder.encode(session, allLive);
    return this.#encoder.cells.subarray(0, this.#encoder.length).join();
  }
}
