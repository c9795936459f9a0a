import { createTeamSystem, defineAgent, type FunctionRun, type Session, type TeamSystem } from "teamchart";

/** What a bench survives: nothing, a killed process, or a power cut. */
export type Durability = "memory" | "process" | "fsync";

/** A team as a workload gives it: `deps[i]` are the upstreams of member i. */
export interface BenchGraph {
  readonly n: number;
  readonly deps: readonly (readonly number[])[];
  readonly names: readonly string[];
}

/** What the members of a workload do. */
export interface BenchContext {
  /** Names the team; a team that was cut short is found again by it. At most 64 characters. */
  readonly runId: string;
  readonly resume?: boolean;
  /** The whole work of member i. */
  step(index: number): unknown;
}

/** The runtime under test, as the workloads drive it. */
export interface Bench {
  /** Runs every member after its upstreams; resolves when all are completed and the session is closed. */
  dag(graph: BenchGraph, context: BenchContext): Promise<void>;
  /** Two members exchange `count` messages, one at a time, each through the receiver's mailbox. */
  pingpong(count: number): Promise<void>;
  /** `count` idle members; `send` resolves when all have handled one broadcast and are idle again. */
  broadcaster(count: number): Promise<{ send(): Promise<void> }>;
  /** Resolves to what keeps `count` idle members alive. */
  idle(count: number): Promise<unknown>;
  close(): Promise<void>;
}

/** What keeps idle members alive is a session here. */
export interface RuntimeBench extends Bench {
  idle(count: number): Promise<Session>;
}

export interface BenchOptions {
  readonly durability: Durability;
  readonly dir?: string;
  readonly runId?: string;
  readonly resume?: boolean;
  /** Called with every session of a graph: where a recorder is put on. What it gives is disposed before the session. */
  readonly onSession?: (session: Session) => Promise<AsyncDisposable | null>;
}

/**
 * Limits that a workload exceeds by what it is: to and fro of 10,000 messages is one chain of 10,000 hops. All other
 * limits, the schemas and the journal are as anybody has them.
 */
const talkLimits = { hopsMax: 1_000_000 };

/** Opens the runtime for the workloads, through its public API alone. */
export async function createBench({ durability, resume = false, onSession }: BenchOptions): Promise<RuntimeBench> {
  if (durability !== "memory") throw new Error(`the durability "${durability}" has no bus yet; "memory" has`);
  if (resume) throw new Error("nothing outlives its process in memory: there is no team to resume");
  return new MemoryBench(await dagSystem(), await talkSystem(), onSession ?? (() => Promise.resolve(null)));
}

interface DagBench {
  readonly system: TeamSystem;
  readonly contexts: Map<string, BenchContext>;
}

/** One system for all graphs. Its one agent type finds the work of a member by team and prompt. */
async function dagSystem(): Promise<DagBench> {
  const contexts = new Map<string, BenchContext>();
  const node = defineAgent({
    run: async (run) => {
      await contexts.get(run.team)?.step(Number(run.prompt));
    },
  });
  return { system: await createTeamSystem({ agents: { node } }), contexts };
}

interface TalkBench {
  readonly system: TeamSystem;
  /** What members do with a message; by team. */
  readonly handlers: Map<string, (run: FunctionRun) => Promise<void>>;
}

async function talkSystem(): Promise<TalkBench> {
  const handlers = new Map<string, (run: FunctionRun) => Promise<void>>();
  const talker = defineAgent({ run: (run) => handlers.get(run.team)?.(run) });
  return { system: await createTeamSystem({ agents: { talker }, limits: talkLimits }), handlers };
}

class MemoryBench implements RuntimeBench {
  readonly #dag: DagBench;
  readonly #talk: TalkBench;
  readonly #onSession: NonNullable<BenchOptions["onSession"]>;
  #teams = 0;

  constructor(dag: DagBench, talk: TalkBench, onSession: NonNullable<BenchOptions["onSession"]>) {
    this.#dag = dag;
    this.#talk = talk;
    this.#onSession = onSession;
  }

  async dag({ n, deps, names }: BenchGraph, context: BenchContext): Promise<void> {
    const { system, contexts } = this.#dag;
    contexts.set(context.runId, context);
    await using session = await system.openSession({ id: context.runId });
    await using _observer = await this.#onSession(session);
    const members = names.map((name, index) => ({
      name,
      agentType: "node",
      prompt: String(index),
      dependsOn: (deps[index] ?? []).map((upstream) => names[upstream] ?? ""),
    }));
    const team = await session.createTeam({ name: context.runId, members });
    const { state } = await team.finished();
    contexts.delete(context.runId);
    if (state !== "finished" || members.length !== n) throw new Error(`the team is ${state}`);
  }

  async pingpong(count: number): Promise<void> {
    let handled = 0;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const { session, finished } = await this.#open(["Ping", "Pong"], "oneshot", async (run) => {
      const other = run.name === "Ping" ? "Pong" : "Ping";
      if (run.name === "Ping") await run.send(other, "0");
      for (;;) {
        const mail = await run.mail.next();
        if (++handled === count) break;
        await run.send(other, String(Number(mail.content) + 1));
      }
      resolve();
    });
    const failed = finished.then(({ state }) => {
      throw new Error(`the team is ${state}`);
    });
    // It also ends when the session is closed, and nobody listens any more by then.
    failed.catch(() => {});
    await Promise.race([done, failed]);
    await session.close();
  }

  async broadcaster(count: number): Promise<{ send(): Promise<void> }> {
    let handled = 0;
    let all = Promise.withResolvers<void>();
    const session = await this.#openIdle(count, async (run) => {
      const mail = await run.mail.take();
      handled += mail.length;
      if (handled === count) all.resolve();
    });
    return {
      send: async () => {
        handled = 0;
        all = Promise.withResolvers();
        await session.sendMessage({ to: "broadcast", content: "the same for all" });
        await all.promise;
        await untilResting(session);
      },
    };
  }

  idle(count: number): Promise<Session> {
    return this.#openIdle(count, async () => {});
  }

  async close(): Promise<void> {
    await Promise.all([this.#dag.system.close(), this.#talk.system.close()]);
  }

  /** Persistent members that have delivered and wait for mail. */
  async #openIdle(count: number, handle: (run: FunctionRun) => Promise<void>): Promise<Session> {
    const names = Array.from({ length: count }, (_, index) => `m${index}`);
    const { session, finished } = await this.#open(names, "persistent", handle);
    await finished;
    await untilResting(session);
    return session;
  }

  async #open(names: string[], lifetime: "oneshot" | "persistent", handle: (run: FunctionRun) => Promise<void>) {
    const { system, handlers } = this.#talk;
    const name = `talk-${++this.#teams}`;
    handlers.set(name, handle);
    const session = await system.openSession({ id: name });
    const members = names.map((each) => ({ name: each, agentType: "talker", prompt: "Talk.", lifetime }));
    const team = await session.createTeam({ name, members });
    return { session, finished: team.finished() };
  }
}

/** Resolves when no run is alive. */
async function untilResting(session: Session): Promise<void> {
  while (session.alive.runs > 0) await new Promise((resolve) => setImmediate(resolve));
}
