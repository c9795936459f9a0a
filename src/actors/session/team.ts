import { filter, firstValueFrom, map, startWith, take } from "rxjs";
import { TeamError } from "../../errors/index.ts";
import { membersInOrder, memberStatus, messageCounts, taskStatuses, type TeamFacts } from "../../machines/index.ts";
import type { DissolveSpecInput, ReplanSpecInput } from "../../protocol/spec.ts";
import type { MemberStatus, MessageCounts } from "../../protocol/status.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import type { CreateResult, DissolveResult, ReplanResult, TeamOutcome } from "../../protocol/reply.ts";
import type { Session } from "./session.ts";
import type { SessionRuntime } from "./session-runtime.ts";

/** How a team stands when there is nothing more to wait for. */
export interface TeamResult {
  readonly team: string;
  readonly state: "finished" | "stalled" | "completed" | "failed" | "dissolved";
  /** What the team's outcome is, or would be if it were dissolved now. */
  readonly outcome: TeamOutcome;
  readonly members: readonly MemberStatus[];
  /** The tasks of its board; left out for a team without one. */
  readonly tasks?: readonly TaskStatus[];
  readonly messages: MessageCounts;
}

const outcomes: Partial<Record<TeamFacts, TeamOutcome>> = {
  finished: "completed",
  stalled: "failed",
  completed: "completed",
  failed: "failed",
  dissolved: "dissolved",
};

/** The result of the session's team as it stands, or null while it is running or there is none. */
export function teamResult(runtime: SessionRuntime): TeamResult | null {
  const { team } = runtime.state;
  const state = team === null ? "running" : runtime.facts.team(team.snapshot);
  const outcome = outcomes[state];
  if (team === null || outcome === undefined) return null;
  const tasks = taskStatuses(runtime.state);
  return {
    team: team.name,
    // `outcomes` names exactly these states.
    state: state as TeamResult["state"],
    outcome,
    members: membersInOrder(runtime.state).map((member) =>
      memberStatus(runtime.state, member, runtime.facts, (each) => runtime.resultOf(each)),
    ),
    ...(tasks === null ? {} : { tasks }),
    messages: messageCounts(runtime.state),
  };
}

/** A team that was created by the API. It goes on whether or not anybody holds this. */
export class Team {
  /** What was created: who started at once, and who waits. */
  readonly created: CreateResult;
  readonly #session: Session;
  readonly #runtime: SessionRuntime;
  readonly #token: string;

  constructor(session: Session, runtime: SessionRuntime, created: CreateResult) {
    this.#session = session;
    this.#runtime = runtime;
    this.created = created;
    this.#token = runtime.state.team?.token ?? "";
  }

  get name(): string {
    return this.created.team;
  }

  /**
   * Resolves when there is nothing more to wait for: the team is finished, stalled (somebody must replan or dissolve it)
   * or dissolved, as by the end of its session. Rejects with `fenced` when another team has taken its place.
   */
  async finished(): Promise<TeamResult> {
    const changes = this.#runtime.owner.records$.pipe(
      startWith(null),
      filter(() => this.#isOver()),
      map(() => (this.#isCurrent() ? teamResult(this.#runtime) : null)),
      take(1),
    );
    const result = await firstValueFrom(changes, { defaultValue: null });
    if (result === null) throw new TeamError("fenced", { reason: "the session was closed, or another team took over" });
    // Which worktrees were kept is a part of the result, and is known a moment later.
    await this.#runtime.options.worktrees.settled();
    return (this.#isCurrent() ? teamResult(this.#runtime) : null) ?? result;
  }

  /** Changes this team. Rejects with `fenced` when another team has taken its place. */
  async replan(spec: ReplanSpecInput): Promise<ReplanResult> {
    this.#requireCurrent();
    return this.#session.replan(spec);
  }

  /** Ends this team; asking again changes nothing. Rejects with `fenced` when another team has taken its place. */
  async dissolve(spec: DissolveSpecInput = {}): Promise<DissolveResult> {
    this.#requireCurrent();
    return this.#session.dissolve(spec);
  }

  /** A handle that somebody kept must not change, or end, a team that it knows nothing of. */
  #requireCurrent(): void {
    if (!this.#isCurrent()) throw new TeamError("fenced", { reason: `another team took the place of "${this.name}"` });
  }

  /** Whether the session's team is still this one: a new one takes the place of one that was dissolved. */
  #isCurrent(): boolean {
    return this.#runtime.state.team?.token === this.#token;
  }

  #isOver(): boolean {
    const { team } = this.#runtime.state;
    return team?.token !== this.#token || outcomes[this.#runtime.facts.team(team.snapshot)] !== undefined;
  }
}

/** A handle of the team that a session has, or null. */
export function teamOf(session: Session, runtime: SessionRuntime): Team | null {
  const { team, revision } = runtime.state;
  if (team === null) return null;
  const members = membersInOrder(runtime.state);
  const named = (isBlocked: boolean): string[] =>
    members
      .filter(({ snapshot }) => (runtime.facts.member(snapshot).work === "blocked") === isBlocked)
      .map(({ name }) => name);
  return new Team(session, runtime, { team: team.name, revision, started: named(false), blocked: named(true) });
}
