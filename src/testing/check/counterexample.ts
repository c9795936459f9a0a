import { eventLines } from "../../machines/event-lines.ts";
import { createRecorder } from "../../actors/recording/recorder.ts";
import type { EventLine } from "../../protocol/recording.ts";
import { counterexampleTest } from "./counterexample-test.ts";
import type { Problem } from "./judge.ts";
import { runPath } from "./path-run.ts";
import type { CheckOptions } from "./properties.ts";
import { stateText } from "./session-view.ts";
import { storedRecord } from "./stored-record.ts";
import type { TeamModel } from "./team-model.ts";

/** A way to a violated property: a shortest one where the search was breadth first. */
export interface Counterexample {
  /** Name of the violated property, such as `G1 no member works before its upstreams completed`. */
  readonly property: string;
  readonly kind: Problem["kind"];
  /** What is wrong. */
  readonly problem: string;
  /** Names of the moves, in order. */
  readonly moves: readonly string[];
  /** The moves as a numbered sequence of messages, what is wrong, and the state at the end. */
  toString(): string;
  /** A vitest case, as TypeScript, that fails for as long as this is violated. */
  toTest(): string;
  /** The lines of a recording that `teamchart replay` takes; of a protocol it knows nothing. */
  toRecording(): string[];
}

/** Makes a counterexample of a path and what is wrong at its end. */
export function createCounterexample(
  model: TeamModel,
  options: CheckOptions,
  problem: Problem,
  moves: readonly string[],
): Counterexample {
  return {
    property: problem.property,
    kind: problem.kind,
    problem: problem.text,
    moves,
    toString: () => traceText(model, problem, moves),
    toTest: () => counterexampleTest(model.options, options, problem, moves),
    toRecording: () => recordPath(model, problem, moves),
  };
}

/** The steps of a path, without any property that would end it early. */
function walkAgain(model: TeamModel, moves: readonly string[]) {
  const run = runPath(model, moves, { guarantees: false });
  if (!("steps" in run)) throw new Error("a path cannot be walked again: moves differ for the same state");
  return run;
}

function traceText(model: TeamModel, { property, text }: Problem, moves: readonly string[]): string {
  const { steps, session } = walkAgain(model, moves);
  const width = String(steps.length).length;
  const lines = steps.flatMap(({ move, after, applied, record, protocolSteps }, index) => {
    const [own, ...posts] = record === null ? [] : eventLines(after, applied, record);
    const heard = model.protocol?.texts(protocolSteps) ?? [];
    const number = String(index + 1).padStart(width);
    const verdict =
      applied.verdict === "handled" ? "" : ` (${applied.verdict}${applied.why === null ? "" : `: ${applied.why}`})`;
    const shown = own === undefined ? "" : `  [${messageText(own)}]${verdict}`;
    const following = [...posts.map(messageText), ...heard];
    return [`${number}. ${move.name}${shown}`, ...following.map((each) => `${" ".repeat(width)}    ${each}`)];
  });
  const start = moves.length === 0 ? ["in the initial state"] : lines;
  const beside = model.protocol === null ? "" : `; ${model.protocol.text(session)}`;
  return [`violated: ${property}`, `  ${text}`, ...start, `then: ${stateText(session, model.facts)}${beside}`].join(
    "\n",
  );
}

const messageText = ({ from, actor, event, status }: EventLine): string =>
  `${from} -> ${actor}: ${event.type}${status === undefined ? "" : ` => ${status}`}`;

function recordPath(model: TeamModel, { property, text }: Problem, moves: readonly string[]): string[] {
  const { steps } = walkAgain(model, moves);
  // Moves of a protocol alone are no inputs of the session.
  const after = steps.slice(steps.findLastIndex(({ record }) => record !== null) + 1).map(({ move }) => move.name);
  const where = after.length === 0 ? "" : ` (after the last input here, by: ${after.join("; ")})`;
  const lines: string[] = [];
  const failures: Error[] = [];
  const recorder = createRecorder({
    session: "model",
    violation: { property, problem: text + where },
    sink: {
      write(line) {
        lines.push(line);
        return null;
      },
    },
    // A recorder tells of its fault and goes on; here nothing else could fail.
    onFault(fault) {
      failures.push(new Error("a path cannot be recorded", { cause: fault }));
    },
  });
  const session = model.kernel.create();
  const records = [...model.prologue, ...steps.flatMap((step) => step.record ?? [])];
  for (const record of records.map(storedRecord)) {
    const room = recorder.record(session, model.kernel.apply(session, record), record);
    if (room !== null) throw new Error("a sink that is never full was full");
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return lines;
}
