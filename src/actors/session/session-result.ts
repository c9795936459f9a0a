import { membersInOrder, memberStatus, messageCounts, taskStatuses, teamBudgets } from "../../machines/index.ts";
import type { ResultLine } from "../../protocol/recording.ts";
import type { MemberStatus } from "../../protocol/status.ts";
import type { TaskStatus } from "../../protocol/task.ts";
import type { TeamOutcome } from "../../protocol/reply.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import { teamResult } from "./team.ts";

/** What a result says beside the session's own state. */
export interface SessionResultOptions {
  /** The user stopped it before it was over. */
  readonly interrupted: boolean;
  /** The lead's last answer, or null. */
  readonly answer: string | null;
  readonly durationMs: number;
}

/** How a session stands, as its result line: outcome, answer, members, mail. It may be asked for at any time. */
export function sessionResult(runtime: SessionRuntime, options: SessionResultOptions): ResultLine {
  const { state, facts } = runtime;
  const { interrupted, answer, durationMs } = options;
  const now = runtime.options.clock.now();
  const budgets = teamBudgets(state, now);
  const tasks = taskStatuses(state);
  return {
    type: "result",
    outcome: interrupted ? "interrupted" : outcomeOf(runtime, answer),
    answer,
    members: membersInOrder(state).map((member) => {
      const status = memberStatus(state, member, facts, (each) => runtime.resultOf(each), { now });
      return {
        name: status.name,
        ...(status.kind === undefined ? {} : { kind: status.kind }),
        status: status.status,
        attempt: status.attempt,
        reason: status.reason ?? null,
        summary: status.summary ?? null,
        paths: [...(status.paths ?? [])],
        ...worktree(status),
        modelCalls: status.modelCalls,
        tokens: status.tokens,
        ...(status.cost === undefined ? {} : { cost: status.cost }),
        ...(status.budgets === undefined ? {} : { budgets: [...status.budgets] }),
        ...fallback("fallback", runtime.journals.fallbackOf(member.token)),
      };
    }),
    ...(tasks === null ? {} : { tasks: tasks.map(taskResult) }),
    messages: messageCounts(state),
    ...fallback("leadFallback", runtime.journals.fallbackOf("lead")),
    ...(budgets.length === 0 ? {} : { budgets }),
    revision: state.revision,
    durationMs: Math.max(0, durationMs),
  };
}

const worktree = ({ worktree: own }: MemberStatus) =>
  own === undefined ? {} : { worktree: { branch: own.branch, path: own.path } };

const taskResult = ({ task, subject, status, owner, note }: TaskStatus) => ({
  task,
  subject,
  status,
  owner: owner ?? null,
  note: note ?? null,
});

const fallback = <Key extends string>(key: Key, route: string | undefined) =>
  // One key, or none of it: nothing else can be in it.
  (route === undefined ? {} : { [key]: route }) as { [Name in Key]?: string };

/**
 * The team's outcome, or what it would be if the team were dissolved now. A lead that could not answer has failed
 * whatever its team did, and without a team its answer is the outcome.
 */
function outcomeOf(runtime: SessionRuntime, answer: string | null): TeamOutcome {
  const { team, lead } = runtime.state;
  const ofTeam = team === null ? null : (teamResult(runtime)?.outcome ?? "dissolved");
  if (lead.failure !== null) return ofTeam === "dissolved" ? "dissolved" : "failed";
  return ofTeam ?? (answer === null ? "failed" : "completed");
}
