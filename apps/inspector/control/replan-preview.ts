import { cloneSession, type Kernel, type SessionState } from "teamchart/machines";
import { describeRefusal, type ReplanSpec } from "teamchart/protocol";
import { memberMark, type Mark } from "../fold/actors.ts";

/** A member as it would be, beside how it is. */
export interface PlannedMember {
  readonly token: string;
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly before: Mark | null;
  readonly after: Mark;
}

/** What a plan would do, or everything that is wrong with it. */
export type Preview =
  | { readonly members: readonly PlannedMember[]; readonly started: readonly string[] }
  | { readonly problems: readonly string[] };

/**
 * What a plan would make of the session as it stands: the plan is applied to a copy by the machines that will judge it. The
 * session may have moved by the time it is sent; then it is refused as stale, and nothing happens.
 */
export function previewReplan(kernel: Kernel, session: SessionState, plan: ReplanSpec): Preview {
  const { team } = session;
  if (team === null) return { problems: ["There is no team."] };
  const { facts } = kernel.steppers;
  const copy = cloneSession(session);
  const { verdict, replies, why } = kernel.apply(copy, {
    seq: session.seq + 1,
    plan,
    input: {
      id: "preview",
      at: session.at,
      actor: team.token,
      from: session.config?.lead === "none" ? "lead" : "user",
      epoch: session.epoch,
      command: { client: "preview", n: 1 },
      event: { type: "team.replan", plan: "preview", byModel: false },
    },
  });
  if (verdict !== "handled") {
    const told = replies.flatMap(({ reply }) => ("refused" in reply ? reply.refused.map(describeRefusal) : []));
    return { problems: told.length > 0 ? told : [why ?? `The plan is ${verdict}.`] };
  }
  const members = [...copy.members.values()].map((member): PlannedMember => {
    const before = session.members.get(member.token);
    return {
      token: member.token,
      name: member.name,
      dependsOn: member.dependsOn,
      before: before === undefined ? null : memberMark(before, facts),
      after: memberMark(member, facts),
    };
  });
  return { members, started: startedBy(members) };
}

const startedBy = (members: readonly PlannedMember[]): readonly string[] =>
  members.filter(({ before, after }) => after === "in_progress" && before !== "in_progress").map(({ name }) => name);
