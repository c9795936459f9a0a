import type { Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import type { Draft } from "./draft.ts";
import { leadRest, restOf } from "./requests.ts";
import { nameOf } from "./roster.ts";
import type { OutsideAnswer, OutsideCall, OutsideEnd } from "./outside-call.ts";
import type { RunData } from "./state.ts";

/**
 * Calls that wait for somebody outside. What is asked belongs to the session and not to the run: when that is lost, or its
 * owner changes, the next one waits on for the calls that are open still, and finds what came meanwhile.
 */

/** Calls that are over and remembered, so that a second result is told so. */
const endsMax = 64;
/** Open calls that an error lists. */
const listedMax = 20;

const isOf =
  (actor: string, call: string) =>
  (each: Pick<OutsideCall, "actor" | "call">): boolean =>
    each.actor === actor && each.call === call;

const runOf = (draft: Draft, actor: string): RunData | undefined =>
  actor === "lead" ? draft.lead.run : draft.member(actor)?.run;

/** An open call says that it waits; one that says so again, in a later run, waits on. */
export function askOutside(draft: Draft, actor: string, ask: InputOf<"external.asked">): void {
  const known = draft.state.outside.find(isOf(actor, ask.call));
  const { seq: generation, input } = draft.record;
  if (known === undefined) {
    const { tool, call, timeoutMs: ms } = ask;
    const deadline = ms === undefined ? null : { generation, armedAt: input.at, ms };
    const note = input.body ?? null;
    const asked: OutsideCall = { actor, call, tool, note, since: input.at, deadline, answer: null };
    draft.set({ outside: [...draft.state.outside, asked] });
  }
  const run = runOf(draft, actor);
  // An answer may have come first.
  const isAnswered = known !== undefined && known.answer !== null;
  if (run === undefined || isAnswered || run.externals.includes(ask.call)) return;
  putExternals(draft, actor, [...run.externals, ask.call]);
  draft.visible = true;
}

/** The result of a call, from outside; the second one changes nothing. `named`: whose call it is said to be, by token. */
export function answerOutside(
  draft: Draft,
  { call, verdict }: InputOf<"external.answer">,
  named: string | null,
): readonly Refusal[] | null {
  const owners = ownersOf(draft, call, named);
  if (owners.length > 1) {
    const names = owners.map((actor) => nameOf(draft, actor)).join(", ");
    const problem = `${names} each have an open call of this id; give member to say whose is meant`;
    return [draft.refusal("bad_input", { what: `call ${call}`, problem })];
  }
  const [actor] = owners;
  if (actor === undefined) return [refuseUnknown(draft, call, named)];
  const known = draft.state.outside.find(isOf(actor, call));
  const answer: OutsideAnswer = { verdict, body: draft.input.body ?? null };
  if (known === undefined) {
    // The call has started and did not say yet that it waits: its result is kept for it.
    const early: OutsideCall = { actor, call, tool: "", note: null, since: draft.input.at, deadline: null, answer };
    draft.set({ outside: [...draft.state.outside, early] });
  } else putAnswer(draft, known, answer);
  return null;
}

/** Whose open call this is, without a result yet: those that wait, else those that have begun. */
function ownersOf(draft: Draft, call: string, named: string | null): readonly string[] {
  const { outside, team } = draft.state;
  const isMeant = (actor: string): boolean => named === null || named === actor;
  const waiting = outside.filter((each) => each.call === call && each.answer === null && isMeant(each.actor));
  if (waiting.length > 0) return waiting.map(({ actor }) => actor);
  const begun = ["lead", ...(team?.order ?? [])].filter(
    (actor) => isMeant(actor) && runOf(draft, actor)?.calls.includes(call) === true,
  );
  return begun.filter((actor) => !outside.some(isOf(actor, call)));
}

function refuseUnknown(draft: Draft, call: string, named: string | null): Refusal {
  const { outside, outsideEnds } = draft.state;
  const isMeant = (each: Pick<OutsideCall, "actor" | "call">): boolean =>
    each.call === call && (named === null || named === each.actor);
  const isAnswered = outside.some(isMeant);
  const how = isAnswered ? "answered" : outsideEnds.findLast(isMeant)?.how;
  if (how !== undefined)
    return draft.refusal("already_answered", how === "answered" ? { id: call } : { id: call, how });
  const open = outside.filter(({ answer }) => answer === null).slice(0, listedMax);
  const known = open.map((each) => `${each.call} (${each.tool} of ${nameOf(draft, each.actor)})`);
  return draft.refusal("unknown_call", { call: call.slice(0, 200), known });
}

/** Nobody answered in time; false when this timer is not armed (any more). */
export function outsideTimeOut(draft: Draft, [actor, call]: readonly [string, string], generation: number): boolean {
  const known = draft.state.outside.find(isOf(actor, call));
  if (known === undefined || known.answer !== null || known.deadline?.generation !== generation) return false;
  putAnswer(draft, known, { verdict: "timed_out", body: null });
  return true;
}

/** Puts the answer beside the call; a run that waits goes on. */
function putAnswer(draft: Draft, known: OutsideCall, answer: OutsideAnswer): void {
  const { actor, call } = known;
  draft.set({ outside: draft.state.outside.map((each) => (each === known ? { ...each, answer } : each)) });
  const externals = runOf(draft, actor)?.externals ?? [];
  const waited = externals.includes(call);
  // Also without a wait: whoever runs for this actor must look at it.
  putExternals(draft, actor, waited ? externals.filter((each) => each !== call) : externals);
  draft.visible = true;
  if (!waited) return;
  const { from } = draft.input;
  if (actor === "lead") draft.postLead(from, () => ({ type: "external.answered", rest: leadRest(draft) }));
  else draft.postMember(actor, from, (current) => ({ type: "external.answered", rest: restOf(current) }));
}

function putExternals(draft: Draft, actor: string, externals: readonly string[]): void {
  if (actor === "lead") draft.changeLead({ run: { ...draft.lead.run, externals } });
  else draft.changeMember(actor, { run: { ...draft.mustMember(actor).run, externals } });
}

/** The call has its end in the log. */
export function endOutsideCall(draft: Draft, actor: string, call: string): void {
  const known = draft.state.outside.find(isOf(actor, call));
  if (known !== undefined) forget(draft, [known]);
}

/** A run is over: of what it waited for only the calls are left that the next run is to go on with. */
export function leaveOutside(draft: Draft, actor: string): void {
  const own = draft.state.outside.filter((each) => each.actor === actor);
  if (own.length === 0) return;
  const run = runOf(draft, actor);
  const goesOn = (call: string): boolean => run !== undefined && !run.closing && run.calls.includes(call);
  forget(
    draft,
    own.filter(({ call }) => !goesOn(call)),
  );
}

function forget(draft: Draft, over: readonly OutsideCall[]): void {
  if (over.length === 0) return;
  const ends = over.map(({ actor, call, answer }): OutsideEnd => ({ actor, call, how: howOf(answer) }));
  draft.set({
    outside: draft.state.outside.filter((each) => !over.includes(each)),
    outsideEnds: [...draft.state.outsideEnds, ...ends].slice(-endsMax),
  });
  draft.visible = true;
}

const howOf = (answer: OutsideAnswer | null): OutsideEnd["how"] => {
  if (answer === null) return "cancelled";
  return answer.verdict === "timed_out" ? "timed_out" : "answered";
};
