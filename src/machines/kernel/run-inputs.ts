import type { InputEvent, InputOf } from "../../protocol/input.ts";
import { nudgesMax, type MemberEvent } from "../member-events.ts";
import type { LeadEvent } from "../lead-machine.ts";
import type { Draft } from "./draft.ts";
import { heedHook, shutDownStopped } from "./hooks.ts";
import { markInjected } from "./mail.ts";
import { hasMail } from "./shutdown.ts";
import { askOutside, endOutsideCall } from "./outside.ts";
import { cancelRequestsOfCall, leadRest, restOf } from "./requests.ts";
import type { MemberRecord, RunData } from "./state.ts";
import { turnsMaxOf } from "./turns.ts";
import { endFollowUp } from "./task-owners.ts";

/** What a run reports, in order: k = last + 1 of the current run, anything else changes nothing. */
export type RunInput = Exclude<Extract<InputEvent, { run: number; k: number }>, { type: "run.adopted" }>;

const runTypes = new Set<InputEvent["type"]>([
  "run.injected",
  "run.answered",
  "run.compacted",
  "run.erred",
  "run.retried",
  "tool.started",
  "tool.ended",
  "step.ended",
  "turn.ended",
  "run.completed",
  "run.failed",
  "external.asked",
  "shutdown.replied",
]);

/** Whether an input is reported by a run. */
export const isRunInput = (event: InputEvent): event is RunInput => runTypes.has(event.type);

/**
 * Why a report is about nothing, or null: a call begins once, and only one that is open can wait. A call may end that never
 * began: it was denied, or its run was lost before.
 */
export function aboutNothing({ calls }: RunData, event: RunInput): string | null {
  if (event.type === "tool.started" && calls.includes(event.call)) return `call ${event.call} is open already`;
  if (event.type === "external.asked" && !calls.includes(event.call)) return `call ${event.call} is not open`;
  return null;
}

/** Counts an input of a run, and nothing else. */
export function placeRunInput(draft: Draft, token: string, k: number): void {
  if (token === "lead") draft.changeLead({ run: { ...draft.lead.run, k } });
  else draft.changeMember(token, { run: { ...draft.mustMember(token).run, k } });
}

/** What every run input changes beside the machine, for members and the lead alike. */
function journal(draft: Draft, token: string, event: RunInput): void {
  const owner = token === "lead" ? draft.lead : draft.mustMember(token);
  let run: RunData = { ...owner.run, k: event.k };
  let { tokens, cost, modelCalls } = owner;
  if (event.type === "run.answered" || event.type === "run.compacted") {
    tokens = sumOf(tokens, event.usage.input + event.usage.output);
    cost = sumOf(cost, event.usage.cost ?? 0);
    if (event.type === "run.answered" || event.called) modelCalls += 1;
  }
  if (event.type === "run.erred" || (event.type === "run.failed" && event.called === true)) modelCalls += 1;
  if (event.type === "step.ended") run = { ...run, steps: run.steps + 1 };
  if (event.type === "tool.started") run = { ...run, calls: [...run.calls, event.call] };
  if (event.type === "tool.ended") {
    run = {
      ...run,
      calls: run.calls.filter((call) => call !== event.call),
      remembered: run.remembered.filter((each) => each.call !== event.call),
      externals: run.externals.filter((call) => call !== event.call),
    };
  }
  if (token === "lead") draft.changeLead({ run, tokens, cost, modelCalls });
  else {
    const own = draft.openMember(token);
    own.run = run;
    own.tokens = tokens;
    own.cost = cost;
    own.modelCalls = modelCalls;
  }
  if (event.type === "run.injected") markInjected(draft, token, event.mail);
  if (event.type === "tool.ended") {
    cancelRequestsOfCall(draft, token, event.call);
    endOutsideCall(draft, token, event.call);
  }
  if (event.type === "external.asked") askOutside(draft, token, event);
}

/** What a conversation looks like is nothing to a machine: a model was called, and the run goes on. */
const answered = { type: "run.answered" } as const;

/** A sum that can still be counted, and be stored as a whole number. */
const sumOf = (before: number, more: number): number => Math.min(before + more, Number.MAX_SAFE_INTEGER);

/** The machine's event for a member's run input; verdicts are computed from what is open now. */
function memberEvent(draft: Draft, member: MemberRecord, event: RunInput): MemberEvent {
  const mail = hasMail(member.unread);
  switch (event.type) {
    case "tool.started":
    case "tool.ended":
    case "external.asked":
    case "run.retried":
      return { type: event.type, rest: restOf(member) };
    case "step.ended":
      return { type: event.type, mail };
    case "run.failed":
      // Who is stopped takes no other turn, whatever it has to read.
      return { type: event.type, mail: mail && event.stop !== true };
    case "run.completed":
      // The first one delivers, whatever it costs; a follow-up that leaves its mail unread must end some time.
      return takesTooMany(draft, member, mail) && draft.facts.member(member.snapshot).work !== "in_progress"
        ? { type: "run.failed", mail }
        : { type: event.type, mail };
    case "turn.ended":
      return takesTooMany(draft, member, mail) ? { type: "run.failed", mail } : { type: "turn.ended", mail };
    case "shutdown.replied":
      return { type: event.accept ? "shutdown.accepted" : "shutdown.refused" };
    case "run.injected":
    case "run.answered":
    case "run.erred":
      return { type: event.type };
    case "run.compacted":
      return answered;
  }
}

/** Whether another turn would be due that the budget of turns forbids. */
function takesTooMany(draft: Draft, member: MemberRecord, mail: boolean): boolean {
  const max = turnsMaxOf(draft.state, member);
  const { lifetime, nudges } = member.snapshot.context;
  const { work, activity } = draft.facts.member(member.snapshot);
  const nudged = work === "in_progress" && lifetime === "oneshot" && nudges < nudgesMax;
  return activity !== "completing" && member.turn.turns >= max && (mail || nudged);
}

/** Applies a member's run input. */
export function applyMemberRun(draft: Draft, token: string, event: RunInput): void {
  journal(draft, token, event);
  if (event.type === "run.completed" && !("hook" in event && event.hook !== undefined)) endFollowUp(draft, token);
  const heeded = "hook" in event ? heedHook(draft, token, event) : event;
  draft.postMember(token, token, (member) => memberEvent(draft, member, heeded), { asInput: true });
  if (event.type === "run.failed" && event.stop === true) shutDownStopped(draft, token, event.reason);
}

/** Applies the lead's run input. */
export function applyLeadRun(draft: Draft, event: RunInput): void {
  journal(draft, "lead", event);
  draft.postLead("lead", () => leadEvent(draft, event), { asInput: true });
}

function leadEvent(draft: Draft, event: RunInput): LeadEvent {
  switch (event.type) {
    case "tool.started":
    case "tool.ended":
    case "external.asked":
    case "run.retried":
      return { type: event.type, rest: leadRest(draft) };
    case "turn.ended":
      return { type: "turn.ended", unseen: draft.lead.unread.some((mail) => mail.wakes) };
    case "run.completed":
      return { type: "turn.ended", unseen: draft.lead.unread.some((mail) => mail.wakes) };
    case "run.injected":
    case "run.answered":
    case "run.erred":
    case "run.failed":
    case "step.ended":
      return { type: event.type };
    case "run.compacted":
      return answered;
    case "shutdown.replied":
      // Members only; a lead that reports one changes nothing.
      return answered;
  }
}

/** A run that ended without an outcome; false when it is not the current one. */
export function loseRun(draft: Draft, token: string, event: InputOf<"run.lost">): boolean {
  if (token === "lead") {
    if (event.run !== draft.lead.snapshot.context.run || !draft.facts.lead(draft.lead.snapshot).live) return false;
    draft.postLead("system", { type: "run.lost" }, { asInput: true });
    return true;
  }
  const member = draft.member(token);
  if (member === undefined || member.snapshot.context.run !== event.run) return false;
  if (draft.facts.member(member.snapshot).activity === null) return false;
  draft.postMember(
    token,
    "system",
    (current) => ({
      type: "run.lost",
      mail: hasMail(current.unread),
      open: current.run.calls.some((call) => call !== current.run.completeCall),
    }),
    { asInput: true },
  );
  return true;
}
