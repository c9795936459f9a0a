import { refusal } from "../../errors/index.ts";
import type { Reply } from "../../protocol/reply.ts";
import type { AnyStateMachine } from "xstate";
import { leadContext } from "../lead-machine.ts";
import { sessionMachines, type MachineName } from "../machine-hash.ts";
import { createStepper } from "../transition-once.ts";
import type { AppliedStep, DueReply, KernelRecord, Verdict } from "./applied.ts";
import { isCommand } from "./commands.ts";
import { Draft } from "./draft.ts";
import { effectHandlers } from "./effects.ts";
import { createFactReader } from "./facts.ts";
import { judge } from "./gate.ts";
import { commandRef, remember, rememberLate } from "./identity.ts";
import type { MailFact } from "./mail-fact.ts";
import { settle } from "./settle.ts";
import { emptyRun, emptyTurn, type SessionState } from "./state.ts";
import type { Steppers } from "./steppers.ts";

/** What one input did. */
export interface Applied {
  readonly seq: number;
  readonly verdict: Verdict;
  /** The input (step 0) and every post that followed, in order. */
  readonly steps: readonly AppliedStep[];
  /** Replies that are due now, to this command or to earlier ones. */
  readonly replies: readonly DueReply[];
  /** Tokens of the actors that changed in more than how many upstreams they wait for: no other run or timer did. */
  readonly changed: ReadonlySet<string>;
  /** Tokens of the actors whose state or data changed. */
  readonly touched: ReadonlySet<string>;
  /** What became of mail, in order. */
  readonly mail: readonly MailFact[];
  /** Why it changed nothing, for `stale`, `refused` and `error`. */
  readonly why: string | null;
}

/** The session as one pure function: no clock, no randomness, no I/O. One kernel serves any number of sessions. */
export interface Kernel {
  readonly steppers: Steppers;
  /** A session before its first input. */
  create(): SessionState;
  /**
   * Applies the next record of the session's log, in place. A throw in a machine changes nothing and is reported as
   * the verdict `error`, so that one bad input can't stop every next owner.
   */
  apply(session: SessionState, record: KernelRecord): Applied;
}

/**
 * Makes a kernel; its memo tables live as long as it does. `machines` are other builds of the machines than those that run
 * in production, such as one with a fault put in on purpose: they must take the same events and have the same states.
 */
export function createKernel(machines: Partial<Readonly<Record<MachineName, AnyStateMachine>>> = {}): Kernel {
  const used = { ...sessionMachines, ...machines };
  const steppers: Steppers = {
    member: createStepper(used.member),
    team: createStepper(used.team),
    lead: createStepper(used.lead),
    session: createStepper(used.session),
    facts: createFactReader(),
  };
  return {
    steppers,
    create: () => emptySession(steppers),
    apply: (session, record) => applyRecord(steppers, session, record),
  };
}

const emptySession = (steppers: Steppers): SessionState => ({
  config: null,
  snapshot: steppers.session.initial({}),
  seq: 0,
  at: 0,
  epoch: 0,
  revision: 0,
  version: 0,
  notableVersion: 0,
  teamsMade: 0,
  team: null,
  pastTeams: [],
  members: new Map(),
  unmet: new Int32Array(),
  lead: {
    snapshot: steppers.lead.initial(leadContext("none")),
    run: emptyRun,
    turn: emptyTurn,
    unread: [],
    unreadBytes: 0,
    received: 0,
    deadLettersLeftOut: 0,
    questions: [],
    answer: null,
    failure: null,
    tokens: 0,
    cost: 0,
    modelCalls: 0,
  },
  polls: [],
  requests: [],
  answered: [],
  outside: [],
  outsideEnds: [],
  clients: new Map(),
  mail: { accepted: 0, delivered: 0, deadLettered: 0, refused: 0 },
  worktrees: [],
});

function applyRecord(steppers: Steppers, session: SessionState, record: KernelRecord): Applied {
  let draft = new Draft(session, record, steppers, effectHandlers);
  if (record.seq <= session.seq) return unchanged(draft);
  try {
    draft.begin();
    const judged = judge(draft);
    if (judged.verdict === "handled" || judged.verdict === "ignored") return finish(draft, judged);
    // Whatever a refused input has touched is thrown away with its draft.
    draft.discard();
    draft = new Draft(session, record, steppers, effectHandlers);
    return finish(refusedDraft(draft, judged), judged);
  } catch (error) {
    draft.discard();
    const why = error instanceof Error ? error.message : String(error);
    const reply: Reply = { refused: [refusal("kernel_error", { problem: why.slice(0, 300) })] };
    draft = new Draft(session, record, steppers, effectHandlers);
    draft.begin();
    // The number of a client's command counts as used, or its next one would be a gap for ever.
    if (isCommand(draft.input.event)) remember(draft, draft.input.command, reply);
    return finish(draft, { verdict: "error", reply, why });
  }
}

/** What became of the input itself. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reply?: Reply;
  readonly why?: string;
}

function unchanged(draft: Draft): Applied {
  draft.begin();
  draft.discard();
  return appliedOf(draft, { verdict: "stale", why: "this sequence was applied already" });
}

/** A refused command leaves its reply in the memory of commands, and its count, and nothing else. */
function refusedDraft(draft: Draft, { verdict, reply }: Judged): Draft {
  draft.begin();
  const { event, command } = draft.input;
  if (verdict !== "refused") return draft;
  if (event.type === "message.send") {
    draft.set({ mail: { ...draft.state.mail, refused: draft.state.mail.refused + 1 } });
    const [first] = reply !== undefined && "refused" in reply ? reply.refused : [];
    const { to, kind, bytes } = event;
    draft.noteMail({ type: "refused", from: draft.input.from, to, kind, bytes, code: first?.code ?? "bad_input" });
  }
  remember(draft, command, reply ?? null);
  return draft;
}

function finish(draft: Draft, judged: Judged): Applied {
  if (judged.verdict === "handled") settle(draft);
  for (const { to, reply } of draft.replies) rememberLate(draft, to, reply);
  const { from, id, event } = draft.input;
  if (judged.reply !== undefined) draft.reply(isCommand(event) ? commandRef(draft) : { from, id }, judged.reply);
  draft.commit();
  return appliedOf(draft, judged);
}

function appliedOf(draft: Draft, { verdict, why }: Judged): Applied {
  const first = draft.log.input();
  // The machine's own word on a run input ("ignored") stands when the gate let it pass.
  if (verdict !== "handled") first.verdict = verdict;
  return new AppliedDraft(draft, first.verdict, why ?? null);
}

class AppliedDraft implements Applied {
  readonly seq: number;
  readonly verdict: Verdict;
  readonly steps: readonly AppliedStep[];
  readonly replies: readonly DueReply[];
  readonly changed: ReadonlySet<string>;
  readonly mail: readonly MailFact[];
  readonly why: string | null;
  readonly #counted: readonly string[];

  constructor(draft: Draft, verdict: Verdict, why: string | null) {
    this.seq = draft.record.seq;
    this.verdict = verdict;
    this.steps = draft.log.steps;
    this.replies = draft.replies;
    this.changed = draft.changed;
    this.mail = draft.mail;
    this.why = why;
    this.#counted = draft.counted;
  }

  get touched(): ReadonlySet<string> {
    return this.#counted.length === 0 ? this.changed : new Set([...this.changed, ...this.#counted]);
  }
}
