import { addInvitations } from "./invite-moves.ts";
import { addBoardMoves } from "./board-moves.ts";
import { addRefusedTask } from "./hook-moves.ts";
import { addLeadMoves } from "./lead-moves.ts";
import { addMemberMoves } from "./member-moves.ts";
import type { Move, World } from "./move.ts";
import { addOutsideAnswers } from "./outside-moves.ts";
import {
  addDuplicateLeadMoves,
  addDuplicateMoves,
  addLateLeadMoves,
  addLateMoves,
  addStaleMoves,
} from "./stale-moves.ts";
import {
  addAnswers,
  addDissolves,
  addInterrupts,
  addOwnerMoves,
  addReplans,
  addTimers,
  addUserMessages,
} from "./team-moves.ts";

/** Everything that may happen next to a session; nothing once it is closed. */
export function worldMoves(given: Omit<World, "add">): Move[] {
  const moves: Move[] = [];
  const world: World = { ...given, add: (name, budget, input) => moves.push({ name, budget, input }) };
  const { session, wants } = world;
  if (session.snapshot.value === "closed") return moves;
  for (const member of session.members.values()) {
    addMemberMoves(world, member);
    if (wants("late")) addLateMoves(world, member);
    if (wants("duplicate")) addDuplicateMoves(world, member);
  }
  addLeadMoves(world);
  if (wants("late")) addLateLeadMoves(world);
  if (wants("duplicate")) addDuplicateLeadMoves(world);
  addAnswers(world);
  addOutsideAnswers(world);
  if (wants("timer")) addTimers(world);
  addStaleMoves(world);
  if (wants("message")) addUserMessages(world);
  if (wants("replan")) addReplans(world);
  if (wants("invite")) addInvitations(world);
  if (wants("task")) addBoardMoves(world);
  if (wants("hook"))
    addRefusedTask(world, "user adds a task", { actor: session.team?.token ?? "session", from: "user" });
  if (wants("dissolve")) addDissolves(world);
  if (wants("interrupt")) addInterrupts(world);
  if (wants("owner")) addOwnerMoves(world);
  return moves;
}
