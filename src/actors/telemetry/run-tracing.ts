import { context } from "@opentelemetry/api";
import type { DesiredRun, MemberRecord } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";
import type { StartedRun } from "../runs/run-board.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { activeTracer } from "./active-tracer.ts";
import { RunTrace } from "./run-trace.ts";
import { TelemetryOptions } from "./telemetry-options.ts";

export { TelemetryOptions };

/** Spans for the runs of one session. */
export class RunTracing {
  readonly #options: TelemetryOptions;
  /** What was active when the session was opened: all its runs belong to that, whoever's input has started them. */
  readonly #parent = context.active();

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  /** Starts the span of a run; null, at the cost of one question, where no SDK is registered. */
  start(runtime: SessionRuntime, { n }: DesiredRun, member: MemberRecord | undefined): RunTrace | null {
    const tracer = activeTracer();
    if (tracer === null) return null;
    const { onFault, config } = runtime.options;
    const run = {
      session: config.session,
      actor: member?.name ?? LEAD,
      agentType: member?.agentType ?? null,
      team: runtime.state.team?.name ?? null,
      run: n,
      attempt: member?.snapshot.context.attempt ?? 0,
    };
    try {
      return new RunTrace(tracer, run, { ...this.#options, parent: this.#parent, onFault });
    } catch (fault) {
      onFault(fault);
      return null;
    }
  }

  /** Ends the span of a run once the run is over, however that came. */
  end(trace: RunTrace, runtime: SessionRuntime, token: string, { done }: StartedRun): void {
    const end = (): void => trace.end(failureOf(runtime, token));
    done.then(end, end);
  }
}

/** Why the actor's run failed, by its state when the run is over; null when it didn't. */
function failureOf({ state, facts }: SessionRuntime, token: string): string | null {
  if (token === "lead") return state.lead.failure;
  const member = state.members.get(token);
  return member !== undefined && facts.member(member.snapshot).work === "failed" ? member.reason : null;
}
