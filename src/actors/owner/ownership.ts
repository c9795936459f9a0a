import { sessionKeyText } from "../../bus/bus.ts";
import { TeamError } from "../../errors/index.ts";
import { desiredRuns } from "../../machines/index.ts";
import { CheckpointWriter } from "./checkpoint-writer.ts";
import { machineHashes } from "./machine-hashes.ts";
import { referencedBodies } from "./referenced-bodies.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { storedSession } from "./stored-sessions.ts";

const lost = "owner_lost: its process ended without an outcome of this run";

/**
 * What makes a runtime the owner of its session: the claim in the log, the checkpoints, and the handover. A runtime that
 * has none folds the session and does nothing.
 */
export class Ownership {
  readonly epoch: number;
  readonly #runtime: SessionRuntime;
  readonly #checkpoints: CheckpointWriter | null;

  /** `revision` is that of the session's checkpoint; 0 = it has none. */
  constructor(runtime: SessionRuntime, epoch: number, revision: number) {
    this.epoch = epoch;
    this.#runtime = runtime;
    const { bus, clock, namespace, config, onFault } = runtime.options;
    const { session } = config;
    const key = sessionKeyText({ namespace, session });
    const machines = machineHashes();
    const value = () => {
      const { state, journals, mail, taken } = runtime;
      const { bodies } = runtime.owner;
      const { questions } = runtime.options;
      const referenced = referencedBodies(runtime);
      const parts = { state, bodies, journals, questions, mail, taken };
      return storedSession({ namespace, session, ...parts, referenced, machines });
    };
    this.#checkpoints =
      bus.kind === "memory" ? null : new CheckpointWriter({ bus, clock, key, revision, value, onFault });
  }

  /** Whether the state is this owner's to act on. */
  get isCurrent(): boolean {
    return this.#runtime.state.epoch === this.epoch;
  }

  /** Whether somebody has claimed the session after this owner. */
  get isPast(): boolean {
    return this.#runtime.state.epoch > this.epoch;
  }

  /** Opens the session, if that was not done, and claims it; from then on it lives. `file` is kept with its first input. */
  async begin(file: unknown): Promise<void> {
    const { owner, state, options } = this.#runtime;
    const { config, node } = options;
    const shared = { actor: "session", from: "system" } as const;
    if (state.config === null) await owner.append({ ...shared, event: { type: "session.opened", config }, body: file });
    else await this.#reportLostRuns();
    const event = { type: "owner.claimed", epoch: this.epoch, node } as const;
    const { verdict } = await owner.apply({ ...shared, event });
    // An owner without its epoch would have everything that it reports refused.
    if (verdict !== "handled") throw new TeamError("fenced", { reason: "a later owner has this session" });
    await this.#checkpoints?.flush();
  }

  /** An input was applied. */
  note(): void {
    this.#checkpoints?.note(this.#runtime.state.members.size);
  }

  /** Lets go of the session, which another owner may go on with. */
  async release(): Promise<void> {
    const event = { type: "owner.released", epoch: this.epoch } as const;
    await this.#runtime.owner.apply({ actor: "session", from: "system", event });
    // Its runtime acts no more, so nobody else has taken note of this last input.
    this.note();
    await this.store();
  }

  /** Stores how the session stands. */
  async store(): Promise<void> {
    await this.#checkpoints?.flush();
  }

  stop(): void {
    this.#checkpoints?.stop();
  }

  /** The owner before has not let go: its process died, and its runs with it. In the log that stands before the claim. */
  async #reportLostRuns(): Promise<void> {
    const { owner, state, facts, options } = this.#runtime;
    const { value } = state.snapshot;
    const wasReleased = typeof value !== "object" || value.opened !== "owned";
    if (wasReleased) return;
    // What lives on a worker did not die with the owner.
    const own = desiredRuns(state, facts).filter(
      ({ actor }) => options.placed?.isFor(state.members.get(actor)) !== true,
    );
    const reports = own.map(({ actor, n }) =>
      owner.append({ actor, from: "system", event: { type: "run.lost", run: n, reason: lost } }),
    );
    await Promise.all(reports);
  }
}
