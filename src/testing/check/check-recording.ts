import { cloneSession, createKernel, type KernelRecord, type SessionState } from "../../machines/index.ts";
import { InputLine, recordedInput } from "../../protocol/recording.ts";
import { parseLine } from "../parse-line.ts";
import { inputText } from "./input-text.ts";
import { allLive } from "./live-data.ts";
import { StateEncoder } from "./state-encoder.ts";
import { Symmetry } from "./symmetry.ts";
import { recordOf } from "./model-record.ts";
import { worldMoves } from "./world-moves.ts";

/** What came of holding a recording against the model. */
export interface Conformance {
  /** Inputs that are moves of the model, by the move's name, in order. */
  readonly path: readonly string[];
  /** Inputs that no move of the model stands for, or that do something else than their move. */
  readonly problems: readonly { readonly seq: number; readonly problem: string }[];
}

/**
 * Whether a recorded session is a path of the model: every input from the creation of the team on is one of the moves that
 * the model has in that state, up to names of runs and calls, and leads to the same state. Takes the lines of a recording
 * that began with its session.
 */
export function checkRecording(lines: Iterable<unknown>): Conformance {
  const kernel = createKernel();
  const session = kernel.create();
  const encoder = new StateEncoder(new Symmetry(false));
  const path: string[] = [];
  const problems: { seq: number; problem: string }[] = [];
  const keyOf = (state: SessionState): string => {
    encoder.encode(state, allLive);
    return encoder.cells.subarray(0, encoder.length).join();
  };
  for (const record of recordsOf(lines)) {
    const { team } = session;
    const { type } = record.input.event;
    const isCreate = type === "team.create" || type === "session.opened";
    const wanted = team === null || isCreate ? null : inputText(session, record);
    const world = { session, facts: kernel.steppers.facts, callsMax: Infinity, journals: true, wants: () => true };
    const moves = wanted === null ? [] : worldMoves(world);
    const move = moves.find(({ input }) => inputText(session, recordOf(session, input)) === wanted);
    const modelled = cloneSession(session);
    if (move !== undefined) kernel.apply(modelled, recordOf(modelled, move.input));
    kernel.apply(session, record);
    if (wanted === null) continue;
    if (move === undefined) problems.push({ seq: record.seq, problem: `no move is ${wanted}` });
    else if (keyOf(modelled) !== keyOf(session))
      problems.push({ seq: record.seq, problem: `${move.name} leads elsewhere` });
    if (move !== undefined) path.push(move.name);
  }
  return { path, problems };
}

function* recordsOf(lines: Iterable<unknown>): Generator<KernelRecord> {
  for (const line of lines) {
    const parsed = parseLine(line);
    if (parsed?.["type"] === "event" && parsed["step"] === 0) yield recordedInput(InputLine.parse(parsed));
  }
}
