import type { Applied, KernelRecord, SessionState } from "../../../../src/machines/index.ts";
import type { Violation } from "../../../../src/protocol/recording.ts";
import type { TeamModel } from "../../../../src/testing/index.ts";
import type { Sources } from "./sources.ts";

/** The hash of every line of a recording: each stands for the lines before it too, and for the states that they left. */
export const hashesOf = (lines: readonly string[]): readonly unknown[] =>
  lines.map((line) => (JSON.parse(line) as { readonly hash: unknown }).hash);

/** What a runtime made of the records of a path. */
export interface Reproduction {
  /** The recording of the session, line by line with its hash chain. */
  readonly lines: readonly string[];
  /** The property that the runtime's session violates first, and after how many moves; null when it violates none. */
  readonly violated: { readonly property: string; readonly moves: number } | null;
  readonly session: SessionState;
  /** Runs and timers that the runtime keeps alive at the end, and that the state wants. */
  readonly alive: number;
  readonly wanted: number;
  /** What the owner could not make sense of. */
  readonly faults: readonly unknown[];
}

/** A run that never reports: what it says is in the log already. */
const held = { abort: () => {}, poke: () => {}, done: new Promise<never>(() => {}), failed: null };

/**
 * Appends the records of a path to a memory bus, where the owner of a session picks them up: its runtime has the model's
 * kernel, keeps the runs that the state wants (held: they report nothing) and arms its timers, which never are due. Every
 * state and step is held against the guarantees. The head of the recording says what the counterexample violates.
 */
export async function reproduce(
  sources: Sources,
  model: TeamModel,
  moves: readonly string[],
  told: Violation | null,
): Promise<Reproduction> {
  const walked = sources.pathRun.runPath(model, moves, { guarantees: false });
  if (!("steps" in walked)) throw new RangeError(`not a path of the model: ${moves.join(", ")}`);
  const records = [...model.prologue, ...walked.steps.flatMap(({ record }) => record ?? [])];
  const { runtime, bus, append, faults, recorded } = startRuntime(sources, model, told);
  const judge = new sources.judge.Judge(model, {});
  const move = {
    name: "",
    budget: null,
    input: { actor: "", from: "", event: { type: "poll.ended", call: "" } },
  } as const;
  let violated: Reproduction["violated"] = null;
  for (const [index, record] of records.entries()) {
    const before = sources.machines.cloneSession(runtime.state);
    const applied = await append(record);
    const after = sources.machines.cloneSession(runtime.state);
    const isMove = index >= model.prologue.length;
    const step = judge.step({ before, after, record, applied, protocolSteps: [], fault: null, move, ghost: null });
    const problem = step ?? (isMove || index === model.prologue.length - 1 ? judge.state(after, null) : null);
    if (problem !== null)
      violated ??= { property: problem.property, moves: Math.max(0, index + 1 - model.prologue.length) };
  }
  const { runs, timers } = runtime.alive;
  const { state, facts } = runtime;
  const { idleTimer, shutdownTimer } = sources.machines;
  const own = [...state.members.values()].filter(
    (each) => idleTimer(state, each, facts) !== null || shutdownTimer(state, each, facts) !== null,
  );
  const wanted = sources.machines.desiredRuns(state, facts).length + sources.machines.desiredTimers(state).length;
  const session = sources.machines.cloneSession(state);
  runtime.owner.stop();
  await bus.close();
  return { lines: recorded.lines, violated, session, alive: runs + timers, wanted: wanted + own.length, faults };
}

const namespace = "check";

/** A runtime of its own for one session, with a recording of all that it applies. */
export function startRuntime(
  sources: Sources,
  { kernel, prologue }: Pick<TeamModel, "kernel" | "prologue">,
  told: Violation | null = null,
) {
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const bus = sources.bus.memoryBus({ onError: onFault });
  const worktrees = new sources.worktreeSource.WorktreeSource(null);
  const [opening] = prologue;
  if (opening?.input.event.type !== "session.opened") throw new Error("a model begins with its session");
  const clock = sources.virtualClock.createVirtualClock();
  const runtime = new sources.runtime.SessionRuntime({
    bus,
    kernel,
    clock,
    namespace,
    node: "node",
    writer: "model",
    config: opening.input.event.config,
    startRun: () => held,
    questions: new sources.questions.Questions(),
    invitations: new sources.invitations.Invitations(new Map(), "model", onFault),
    worktrees: new sources.memberWorktrees.MemberWorktrees(worktrees, "model", onFault),
    hooks: new sources.hookRunner.HookRunner([], { clock, hookMs: 1, onFault }),
    onFault,
  });
  const recorded: { readonly lines: string[]; readonly applied: Applied[] } = { lines: [], applied: [] };
  const write = (line: string): null => {
    recorded.lines.push(line);
    return null;
  };
  const recorder = sources.recorder.createRecorder({
    session: "model",
    sink: { write },
    onFault,
    ...(told && { violation: { property: told.property, problem: told.problem } }),
  });
  runtime.owner.records$.subscribe(({ stored: { seq, input }, plan, applied }) => {
    recorded.applied.push(applied);
    // The sink is never full.
    void recorder.record(runtime.state, applied, plan === undefined ? { seq, input } : { seq, input, plan });
  });
  runtime.owner.start();
  /** Appends a record as a foreign process would; what the owner made of it. */
  const append = async (record: KernelRecord): Promise<Applied> => {
    const { input, plan } = sources.storedRecord.storedRecord(record);
    // Whoever claims the session in the path is this runtime.
    const { event } = input;
    if (event.type === "owner.claimed" && event.epoch > runtime.state.epoch) runtime.own(event.epoch);
    const subject = { namespace, session: "model", actor: input.actor, sender: input.from };
    await bus.append({ subject, input, ...(plan === undefined ? {} : { body: plan }) });
    const applied = recorded.applied.at(-1);
    if (applied?.seq !== record.seq) throw new Error(`the owner did not apply record ${record.seq}`);
    return applied;
  };
  return { runtime, bus, append, faults, recorded };
}
