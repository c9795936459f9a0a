import type { Session } from "../../actors/session/session.ts";
import type { SessionStatus } from "../../actors/session/session-status.ts";
import { isTeamError } from "../../errors/index.ts";
import type { ReplanSpecInput } from "../../protocol/spec.ts";
import type { Scenario } from "./draw-scenario.ts";
import type { Observation } from "./evidence.ts";
import type { Operator } from "./operator.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { SimLinkError } from "./sim-connection.ts";
import type { SimProcess } from "./sim-process.ts";
import type { World } from "./world.ts";

/** How often the user looks. */
const lookMs = 700;

/** A lead that has no team by then will have none. */
const leadMsMax = 45_000;

/** States of a team that has come to an end by itself, or was ended. */
const ended: ReadonlySet<string> = new Set(["completed", "failed", "dissolved"]);

/**
 * The user of a simulated session: begins it on whichever node has it, answers what is asked, says and changes things now
 * and then, and ends what has ended or takes too long. What the user was told to be done is written down.
 */
export class SimUser {
  readonly #world: World;
  readonly #operator: Operator;
  readonly #scenario: Scenario;
  readonly #random: SeededRandom;
  readonly #startMs: number;
  readonly #answered = new Map<string, boolean>();
  /** Commands whose answer is still to come: of each kind there is one at a time. */
  readonly #busy = new Set<string>();
  #words: number;
  #retries: number;
  #isDone = false;
  #session: Session | null = null;

  constructor(world: World, operator: Operator, scenario: Scenario) {
    this.#world = world;
    this.#operator = operator;
    this.#scenario = scenario;
    this.#random = world.random.fork("user");
    this.#startMs = world.scheduler.now();
    this.#words = scenario.wordsMax;
    this.#retries = scenario.retriesMax;
  }

  /** Whether nothing more is to be wanted: the team has ended as far as the user is concerned. */
  get isDone(): boolean {
    return this.#isDone;
  }

  start(): void {
    this.#world.scheduler.schedule(() => this.#look(), lookMs + this.#random.int(0, 200), { label: "user" });
  }

  #look(): void {
    const node = this.#operator.owner;
    const session = node?.session ?? null;
    if (node !== null && session !== null) {
      // What was asked of another node, or of this one before, has no answer any more.
      if (session !== this.#session) this.#busy.clear();
      this.#session = session;
      this.#act(session, node.process);
    }
    if (!this.#isDone) this.start();
  }

  #act(session: Session, process: SimProcess): void {
    const status = session.status();
    const waitedMs = this.#world.scheduler.now() - this.#startMs;
    const { patienceMs } = this.#scenario;
    if (status.state === "none") this.#begin(session, waitedMs);
    this.#answer(session, status);
    const isLate = waitedMs > patienceMs;
    if (status.state === "running" && !isLate) this.#say(session, status, process);
    if (status.state === "stalled") this.#mend(session, status, process);
    if (isLate && (status.state === "running" || status.state === "stalled")) this.#dissolve(session, process);
    if (status.state === "finished" && this.#random.chance(0.3)) this.#finish(session, process);
    if (ended.has(status.state)) this.#isDone = true;
  }

  /** A team that is finished is dissolved, or left as it is. */
  #finish(session: Session, process: SimProcess): void {
    if (this.#random.chance(0.5)) this.#dissolve(session, process);
    else this.#isDone = true;
  }

  /** Does one thing of a kind at a time; what it ends with is told to `then`, unless nobody can know. */
  #do(kind: string, perform: () => Promise<unknown>, then: (type: "accepted" | "refused") => void = () => {}): void {
    if (this.#busy.has(kind)) return;
    this.#busy.add(kind);
    perform().then(
      () => {
        this.#busy.delete(kind);
        then("accepted");
      },
      (error: unknown) => {
        this.#busy.delete(kind);
        if (!isTeamError(error) && !(error instanceof SimLinkError)) this.#world.unexpected.push(error);
        else if (isTeamError(error) && error.code !== "fenced" && error.code !== "bus_unavailable") then("refused");
      },
    );
  }

  #tell(process: SimProcess, command: Extract<Observation, { command: unknown }>["command"], mark: string) {
    return (type: "accepted" | "refused"): void => this.#world.observe(process, { type, actor: "user", command, mark });
  }

  #begin(session: Session, waitedMs: number): void {
    if (this.#scenario.lead === "none") {
      this.#do("begin", () => session.createTeam(this.#scenario.team));
      return;
    }
    if (session.leadFailure !== null) {
      // A lead that fails before it has a team has failed for good: nobody tells it to try again.
      this.#isDone = true;
      return;
    }
    const { lead } = session.state;
    if (lead.snapshot.context.run === 0 && lead.unread.length === 0) this.#do("begin", () => session.send("begin"));
    if (waitedMs > leadMsMax) this.#isDone = true;
  }

  /** Some requests are approved, some denied, and some are left to their time. */
  #answer(session: Session, status: SessionStatus): void {
    for (const { id } of status.permissionRequests) {
      const random = this.#random.fork(id);
      if (random.chance(0.7))
        this.#do(`answer ${id}`, () => session.answerPermission(id, { approve: random.chance(0.7) }));
    }
    for (const { call } of status.pendingCalls) {
      if (this.#answered.has(call)) continue;
      const answers = this.#random.fork(call).chance(0.6);
      this.#answered.set(call, answers);
      if (answers) this.#do(`finish ${call}`, () => session.finishCall(call, { result: "finished" }));
    }
  }

  #say(session: Session, status: SessionStatus, process: SimProcess): void {
    if (this.#words <= 0 || !this.#random.chance(0.15)) return;
    this.#words -= 1;
    const { name } = this.#random.pick(status.members);
    switch (this.#random.int(0, 5)) {
      case 0:
      case 1: {
        const mark = this.#world.mark("user");
        const to = this.#random.chance(0.2) ? "broadcast" : name;
        const kind = this.#random.pick(["text", "instruction"] as const);
        this.#do("say", () => session.sendMessage({ to, content: mark, kind }), this.#tell(process, "message", mark));
        break;
      }
      case 2:
        this.#do("interrupt", () => session.interrupt(name));
        break;
      case 3:
        if (status.tasks !== undefined) this.#do("task", () => session.board.add({ subject: "one more" }));
        break;
      default:
        this.#replan(session, process, this.#drawReplan(status, name));
    }
  }

  #drawReplan(status: SessionStatus, name: string): ReplanSpecInput {
    const added = this.#world.mark("More");
    const other = this.#random.pick(status.members).name;
    return this.#random.pick<ReplanSpecInput>([
      { cancel: [name] },
      { add: [{ name: added, prompt: "more", agentType: "function", dependsOn: [other] }] },
      { add: [{ name: added, prompt: "instead", agentType: "function", replaces: name }] },
      { rewire: [{ name, dependsOn: other === name ? [] : [other] }] },
      { shutdown: [name] },
    ]);
  }

  /** Who has failed is started again, until the user has had enough. */
  #mend(session: Session, status: SessionStatus, process: SimProcess): void {
    const failed = status.members.filter((member) => member.status === "failed");
    if (failed.length === 0 || this.#retries <= 0) {
      this.#dissolve(session, process);
      return;
    }
    if (this.#busy.has("replan")) return;
    this.#retries -= 1;
    this.#replan(session, process, { retry: failed.map(({ name }) => ({ name, prompt: "once more" })) });
  }

  #replan(session: Session, process: SimProcess, spec: ReplanSpecInput): void {
    const mark = this.#world.mark("plan");
    this.#do("replan", () => session.replan({ ...spec, reason: mark }), this.#tell(process, "replan", mark));
  }

  #dissolve(session: Session, process: SimProcess): void {
    const mark = this.#world.mark("end");
    const mode = this.#random.chance(0.2) ? "abort" : "graceful";
    this.#do("dissolve", () => session.dissolve({ mode, reason: mark }), this.#tell(process, "dissolve", mark));
  }
}
