import { createKernel, type Applied, type Kernel } from "../../../src/machines/index.ts";

/** Faults put in behind the kernel that runs in production, for tests of what is done with a violation. */
export type FaultName = "startsEarly";

/** A kernel that unblocks on any upstream, done or not. Real faults of the kernel are in mutants/planted-faults.ts. */
export function faultyKernel(_: FaultName): Kernel {
  const kernel = createKernel();
  return {
    ...kernel,
    apply(session, record) {
      const applied = kernel.apply(session, record);
      const { seq, verdict, steps, replies, changed, why } = applied;
      const touched = new Set(applied.touched);
      for (const member of session.members.values()) {
        const { work } = kernel.steppers.facts.member(member.snapshot);
        if (work !== "blocked" || record.input.event.type === "team.create") continue;
        const { next } = kernel.steppers.member.step(member.snapshot, { type: "member.start" });
        session.members.set(member.token, { ...member, snapshot: next });
        touched.add(member.token);
      }
      return { seq, verdict, steps, replies, changed, why, touched } satisfies Applied;
    },
  };
}
