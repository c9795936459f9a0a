import {
  createKernel,
  type Applied,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "../../../src/machines/index.ts";

/** What a fault makes of a step that the kernel has made. */
type Fault = (kernel: Kernel, session: SessionState, record: KernelRecord, applied: Applied) => Partial<Applied>;

/** Faults behind the kernel that runs in production, for tests of what is done with a violation. Real ones: mutants/. */
const faults = {
  /** Unblocks on any upstream, done or not. */
  startsEarly(kernel, session, record, applied) {
    if (applied.verdict !== "handled") return {};
    const touched = new Set(applied.touched);
    for (const member of session.members.values()) {
      const { work } = kernel.steppers.facts.member(member.snapshot);
      if (work !== "blocked" || record.input.event.type === "team.create") continue;
      const { next } = kernel.steppers.member.step(member.snapshot, { type: "member.start" });
      session.members.set(member.token, { ...member, snapshot: next });
      touched.add(member.token);
    }
    return { touched };
  },
  /** Answers every request twice, but for the one that made the team. */
  answersTwice: (_kernel, _session, { input }, { replies }) =>
    input.event.type === "team.create" ? {} : { replies: [...replies, ...replies] },
} satisfies Record<string, Fault>;

/** The name of a fault. */
export type FaultName = keyof typeof faults;

/** The kernel with one fault. */
export function faultyKernel(name: FaultName): Kernel {
  const kernel = createKernel();
  const fault: Fault = faults[name];
  return {
    ...kernel,
    apply(session, record) {
      const applied = kernel.apply(session, record);
      const { seq, verdict, steps, replies, touched, changed, mail, why } = applied;
      return { seq, verdict, steps, replies, touched, changed, mail, why, ...fault(kernel, session, record, applied) };
    },
  };
}
