import { refusal, type Refusal } from "../../errors/index.ts";
import type { InputOf } from "../../protocol/input.ts";
import { leadContext } from "../lead-machine.ts";
import { carryOut, type Command } from "./commands.ts";
import type { Draft } from "./draft.ts";
import { recognise, remember } from "./identity.ts";
import type { Judged } from "./kernel.ts";
import { isDissolving } from "./standing.ts";
import {
  aboutNothing,
  applyLeadRun,
  applyMemberRun,
  isRunInput,
  loseRun,
  placeRunInput,
  type RunInput,
} from "./run-inputs.ts";
import type { RunData } from "./state.ts";
import { fireTimer } from "./timers.ts";
import { noteWorktree } from "./worktrees.ts";

/** The gate of a session: epoch, run, order and identity are checked before anything moves. */

const handled: Judged = { verdict: "handled" };
const stale = (why: string): Judged => ({ verdict: "stale", why });
const fenced = (reason: string): Judged => ({
  verdict: "stale",
  why: reason,
  reply: { refused: [refusal("fenced", { reason })] },
});

/** Who may report what only an owner knows, and who may open and close a session. */
const owners: ReadonlySet<string> = new Set(["system", "session"]);
const hosts: ReadonlySet<string> = new Set(["system", "session", "user", "lead"]);

/** Judges an input and, when it may pass, posts what follows from it. */
export function judge(draft: Draft): Judged {
  const { input, state } = draft;
  const { event } = input;
  if (event.type === "session.opened") return openSession(draft, event);
  if (state.config === null) return stale("the session is not open");
  if (state.snapshot.value === "closed") return fenced("the session is closed");
  switch (event.type) {
    case "session.closed":
      if (!hosts.has(input.from)) return fenced("only the host closes a session");
      draft.postSession(input.from, { type: event.type });
      return handled;
    case "owner.claimed":
    case "owner.released":
    case "timer.due":
    case "run.lost":
    case "run.adopted":
    case "worktree.opened":
    case "worktree.closed":
      return owners.has(input.from) ? judgeOwner(draft, event) : fenced("only the owner reports this");
    default:
      return isRunInput(event) ? judgeRun(draft, event) : judgeCommand(draft, event);
  }
}

type OwnerInput = InputOf<
  "owner.claimed" | "owner.released" | "timer.due" | "run.lost" | "run.adopted" | "worktree.opened" | "worktree.closed"
>;

/** What an owner reports holds for its own epoch only. */
function judgeOwner(draft: Draft, event: OwnerInput): Judged {
  const { input, state } = draft;
  switch (event.type) {
    case "owner.claimed":
      if (event.epoch <= state.epoch) return stale(`epoch ${event.epoch} is not after ${state.epoch}`);
      draft.set({ epoch: event.epoch });
      draft.postSession(input.from, { type: "owner.claimed" });
      return handled;
    case "owner.released":
      if (event.epoch !== state.epoch) return stale(`epoch ${event.epoch} is not the current one`);
      draft.postSession(input.from, { type: "owner.released" });
      return handled;
    case "timer.due":
      if (event.epoch !== state.epoch) return stale("a timer of an older owner");
      return fireTimer(draft, event) ? handled : stale("this timer is not armed");
    case "run.lost":
      if (input.epoch !== state.epoch) return stale("a run of an older owner");
      return loseRun(draft, input.actor, event) ? handled : stale("not the current run");
    case "run.adopted":
      if (input.epoch !== state.epoch) return stale("an adoption by an older owner");
      return adoptRun(draft, event);
    case "worktree.opened":
    case "worktree.closed": {
      const why = input.epoch === state.epoch ? noteWorktree(draft, event) : "a worktree of an older owner";
      return why === null ? handled : stale(why);
    }
  }
}

function openSession(draft: Draft, event: InputOf<"session.opened">): Judged {
  if (draft.state.config !== null) return stale("the session is open already");
  if (!hosts.has(draft.input.from)) return fenced("only the host opens a session");
  draft.set({ config: event.config });
  draft.changeLead({ snapshot: draft.steppers.lead.initial(leadContext(event.config.lead)) });
  draft.postSession(draft.input.from, { type: "session.opened" });
  return handled;
}

/** The run data and run number of an actor whose run is live, or null. */
function liveRun(draft: Draft, token: string): { readonly run: RunData; readonly n: number } | null {
  if (token === "lead") {
    const { lead } = draft;
    return draft.facts.lead(lead.snapshot).live ? { run: lead.run, n: lead.snapshot.context.run } : null;
  }
  const member = draft.member(token);
  if (member === undefined || draft.facts.member(member.snapshot).activity === null) return null;
  return { run: member.run, n: member.snapshot.context.run };
}

/** Why a run with this number and epoch is not the current one, or null when it is. */
function staleRun(draft: Draft, n: number, live: ReturnType<typeof liveRun>): string | null {
  const { epoch } = draft.input;
  if (live === null || live.n !== n) return "not the current run";
  return epoch === draft.state.epoch || epoch === live.run.adopted ? null : "a run of an older owner";
}

function adoptRun(draft: Draft, event: InputOf<"run.adopted">): Judged {
  const { actor } = draft.input;
  const live = liveRun(draft, actor);
  if (live === null || live.n !== event.run) return stale("not the current run");
  const run = { ...live.run, k: event.k, adopted: event.epoch, closing: false };
  if (actor === "lead") draft.changeLead({ run });
  else draft.changeMember(actor, { run });
  return handled;
}

function judgeRun(draft: Draft, event: RunInput): Judged {
  const { actor, from } = draft.input;
  if (actor !== from) return stale("a run reports for itself only");
  const live = liveRun(draft, actor);
  const why = staleRun(draft, event.run, live);
  if (why !== null) return stale(why);
  const k = live?.run.k ?? 0;
  if (event.k <= k) return stale(`input ${event.k} of this run was applied already`);
  if (event.k > k + 1) return fenced(`input ${k + 1} of this run is missing before ${event.k}`);
  const nothing = live === null ? null : aboutNothing(live.run, event);
  if (nothing !== null) {
    // It has its place in the run, or what comes next would be refused for the gap; nothing else comes of it.
    placeRunInput(draft, actor, event.k);
    return { verdict: "ignored", why: nothing };
  }
  if (actor === "lead") applyLeadRun(draft, event);
  else applyMemberRun(draft, actor, event);
  return handled;
}

function judgeCommand(draft: Draft, event: Command): Judged {
  const { from, command } = draft.input;
  const known = recognise(draft, command);
  if (known.known === "gap") return fenced("an earlier command of this client is missing");
  if (known.known === "repeated") {
    return { ...stale("this command was applied already"), ...(known.reply === null ? {} : { reply: known.reply }) };
  }
  const refused = fence(draft, event);
  if (refused !== null) return { verdict: "stale", why: refused.code, reply: { refused: [refused] } };
  if (from !== "user" && from !== "lead" && draft.member(from) === undefined)
    return fenced("the sender is nobody here");
  const outcome = carryOut(draft, event);
  if (outcome !== "later" && "refused" in outcome)
    return { verdict: "refused", why: outcome.refused[0]?.code ?? "", reply: outcome };
  draft.drain();
  remember(draft, command, outcome === "later" ? null : outcome);
  return outcome === "later" ? handled : { verdict: "handled", reply: outcome };
}

/** Commands of a run are accepted only while it is the current one. */
function fence(draft: Draft, event: Command): Refusal | null {
  const { from, command } = draft.input;
  const member = draft.member(from);
  const isRun = command !== undefined && "call" in command;
  if (member === undefined && !isRun) return null;
  const why = isRun ? staleRun(draft, command.run, liveRun(draft, from)) : "a member acts by its run only";
  if (why === null) return null;
  if (member !== undefined) {
    if (isDissolving(draft)) return refusal("team_dissolved", { team: draft.team.name });
    const { work } = draft.facts.member(member.snapshot);
    if (event.type === "work.complete" && work !== "in_progress" && work !== "blocked") {
      return refusal("already_completed", { name: member.name, status: work });
    }
  }
  return refusal("fenced", { reason: why });
}
