import type { MemberRecord } from "../../machines/index.ts";
import type { InputEvent } from "../../protocol/input.ts";
import type { JudgedState, JudgedStep } from "./guarantee.ts";

/**
 * What a run says of a call that isn't there changes nothing: what is wrong, or null. Tried on copies, in every situation that
 * differs in what could let it pass.
 */
export function reportProblem(state: JudgedState): string | null {
  if (!state.isUntried) return null;
  const { session, facts } = state;
  for (const member of session.members.values()) {
    const { presence, activity } = facts.member(member.snapshot);
    if (activity === null) continue;
    const { calls, externals } = member.run;
    if (!state.isNew(`reports ${presence},${activity},${calls.length},${externals.length}`)) continue;
    for (const given of reportsOf(member)) {
      const problem = tryReport(state, member, given);
      if (problem !== null) return problem;
    }
  }
  return null;
}

interface Given {
  readonly what: string;
  readonly event: InputEvent;
}

function reportsOf({ run, snapshot }: MemberRecord): Given[] {
  const next = { run: snapshot.context.run, k: run.k + 1, tool: "tool" };
  const [open] = run.calls;
  if (open === undefined) return [];
  return [
    { what: "waits by a call that is not open", event: { type: "external.asked", ...next, call: "nowhere" } },
    { what: "began a call that is open", event: { type: "tool.started", ...next, call: open } },
  ];
}

function tryReport({ session, probe }: JudgedState, member: MemberRecord, { what, event }: Given): string | null {
  const { session: after, step } = probe({ actor: member.token, from: member.token, event });
  if (step.applied.verdict === "error") return `${event.type} of ${member.name} broke the kernel: ${step.applied.why}`;
  const is = after.members.get(member.token);
  const isUnchanged =
    is !== undefined &&
    is.snapshot === member.snapshot &&
    is.run.calls.length === member.run.calls.length &&
    after.outside === session.outside;
  return isUnchanged && step.applied.verdict !== "handled" ? null : `${member.name} ${what}`;
}

/** A command that a hook did not let pass was done: what is wrong, or null. */
export function hookProblem({ record, applied }: JudgedStep): string | null {
  const { event } = record.input;
  const isRefused = "hook" in event && event.hook !== undefined && !("on" in event.hook);
  return isRefused && applied.verdict === "handled" ? `${event.type} was done, though a hook said no` : null;
}
