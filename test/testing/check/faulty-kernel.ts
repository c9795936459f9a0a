import {
  createKernel,
  type Applied,
  type Kernel,
  type KernelRecord,
  type SessionState,
} from "../../../src/machines/index.ts";

type Open<T> = { -readonly [Key in keyof T]: T[Key] };

/** What a fault does to a step that the kernel has made. */
type Fault = (step: {
  readonly kernel: Kernel;
  readonly before: SessionState;
  readonly session: SessionState;
  readonly record: KernelRecord;
  readonly applied: Applied;
}) => Applied | void;

const change = (session: SessionState, values: Partial<SessionState>): void => {
  Object.assign(session as Open<SessionState>, values);
};

/** What a step did, said otherwise. */
const told = ({ seq, verdict, steps, replies, touched, changed, why }: Applied, values: Partial<Applied>): Applied => ({
  seq,
  verdict,
  steps,
  replies,
  touched,
  changed,
  why,
  ...values,
});

/** Faults that the kernel could have, each put in behind the one that runs in production. */
export const faults = {
  /** Unblocks on any upstream, done or not. */
  startsEarly({ kernel, session, record, applied }) {
    const touched = new Set(applied.touched);
    for (const member of session.members.values()) {
      const { work } = kernel.steppers.facts.member(member.snapshot);
      if (work !== "blocked" || record.input.event.type === "team.create") continue;
      const { next } = kernel.steppers.member.step(member.snapshot, { type: "member.start" });
      session.members.set(member.token, { ...member, snapshot: next });
      touched.add(member.token);
    }
    return told(applied, { touched });
  },
  /** Takes reports of runs that are over. */
  fencesNothing({ kernel, session, record, applied }) {
    const { event, actor } = record.input;
    const member = session.members.get(actor);
    if (applied.verdict !== "stale" || event.type !== "run.completed" || member === undefined) return applied;
    const { next } = kernel.steppers.member.step(member.snapshot, { type: "run.completed", mail: false });
    session.members.set(actor, { ...member, snapshot: next });
    return told(applied, { touched: new Set([actor]) });
  },
  /** Forgets that a member has completed. */
  undoesWork({ before, session }) {
    for (const [token, member] of session.members) {
      const old = before.members.get(token);
      if (old?.snapshot.value.work === "completed") session.members.set(token, { ...member, snapshot: old.snapshot });
      if (old?.snapshot.value.work === "in_progress" && member.snapshot.value.work === "completed" && before.seq > 6)
        session.members.set(token, old);
    }
  },
  /** Loses what was written to a member. */
  losesMail({ session }) {
    for (const [token, member] of session.members)
      if (member.unread.length > 0) session.members.set(token, { ...member, unread: [], unreadBytes: 0 });
  },
  /** Tells nobody of a failure. */
  failsInSilence: ({ applied }) =>
    told(applied, { steps: applied.steps.filter(({ event }) => event.type !== "notice.member_failed") }),
  /** Counts upstreams wrongly once a plan has changed. */
  forgetsUpstreams({ session, record }) {
    if (record.input.event.type === "team.replan") session.unmet.fill(0);
  },
  /** Keeps no grace timer. */
  neverForces({ session }) {
    if (session.team !== null) change(session, { team: { ...session.team, grace: null } });
  },
  /** Never says that a team has stalled. */
  neverStalls({ before, session }) {
    if (session.team !== null && session.team.snapshot.hasTag("blocked") && before.team !== null)
      change(session, { team: { ...session.team, snapshot: before.team.snapshot } });
  },
  /** Lets members replan. */
  letsAnybodyPlan: ({ applied, record }) =>
    record.input.event.type === "team.replan" ? told(applied, { verdict: "handled" }) : applied,
  /** Answers every request twice. */
  answersTwice: ({ applied }) => told(applied, { replies: [...applied.replies, ...applied.replies] }),
  /** Never answers what waited. */
  answersNobody: ({ applied }) => told(applied, { replies: [] }),
  /** Breaks on a message. */
  breaks: ({ applied, record }) =>
    record.input.event.type === "message.send" ? told(applied, { verdict: "error", why: "out of luck" }) : applied,
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
      const before = { ...session, members: new Map(session.members) };
      const applied = kernel.apply(session, record);
      return fault({ kernel, before, session, record, applied }) ?? applied;
    },
  };
}
