import type { MemberRecord } from "../../machines/index.ts";
import { failureText } from "../model-run/tool-calls.ts";
import type { MemberHome } from "../runs/member-home.ts";
import type { StartedRun } from "../runs/run-board.ts";
import type { RunPort } from "../runs/run-port.ts";
import type { RunSignal } from "../runs/run-signal.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { LateRun } from "./late-run.ts";

/** A run of a member that can't begin at once. */
interface LateStart {
  readonly runtime: SessionRuntime;
  readonly member: MemberRecord;
  readonly home: MemberHome;
  readonly port: RunPort;
  readonly signal: RunSignal;
}

/**
 * Starts a run once it is known where it works, and what its upstreams have left where. A worktree that can't be had is that
 * run's failure.
 */
export function startLate(
  { runtime, member, home, port, signal }: LateStart,
  startAt: (member: MemberRecord, home: MemberHome) => StartedRun,
): StartedRun {
  const { worktrees } = runtime.options;
  const { token, dependsOn } = member;
  const start = async (): Promise<StartedRun | null> => {
    try {
      await worktrees.left(dependsOn);
      const workspace = home.isIsolated ? await worktrees.prepare(runtime, member) : home.workspace;
      // What has happened meanwhile counts: mail may have come.
      const now = runtime.state.members.get(token) ?? member;
      if (!signal.aborted) return startAt(now, { ...home, workspace });
    } catch (error) {
      // Nobody is left to tell when this can't be stored: the owner has reported it.
      await port.report({ type: "run.failed", reason: failureText(error).slice(0, 500) }).catch(() => {});
    }
    worktrees.follow(runtime, token);
    return null;
  };
  const started = new LateRun(start, (reason) => port.abort(reason));
  if (home.isIsolated) worktrees.use(token, started.done);
  return started;
}
