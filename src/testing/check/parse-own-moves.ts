import { parseInput } from "../../actors/parse-input.ts";
import { Input } from "../../protocol/input.ts";
import { InviteSpec, ReplanSpec, TeamSpec } from "../../protocol/spec.ts";
import { badInput, isFields, kindOf, knownKeys, parseFields, type Fields } from "../fields.ts";
import { parseEvent } from "../machine/parse-machine-options.ts";
import { budgetKinds } from "./budgets.ts";
import type { AnyMove, MoveInput } from "./move.ts";

const inputKeys = ["actor", "from", "event", "command", "plan", "epoch"];
/** What a move says of its input; the model adds the rest. */
const Envelope = Input.pick({ actor: true, from: true, event: true, command: true }).extend({
  epoch: Input.shape.epoch.optional(),
});

/**
 * Moves as a function of the user's gave them, or `bad_input`: a move whose budget is misspelt would never be made, and an
 * input that is none would break the kernel. `what` says whose moves they are; only a protocol takes events of its own.
 */
export function parseOwnMoves(value: unknown, what: string, takesEvents: boolean): readonly AnyMove[] {
  if (!Array.isArray(value))
    throw badInput(what, `it gave ${givenText(value)}; give a list of moves, an empty one for none`);
  // Array.isArray makes `any[]` of it.
  const moves: readonly unknown[] = value;
  return moves.map((move, index) => parseMove(move, `${what}.${index}`, takesEvents));
}

/** What was given in place of a list. */
export const givenText = (value: unknown): string =>
  isFields(value) && "then" in value ? "a promise, which answers later" : kindOf(value);

function parseMove(value: unknown, what: string, takesEvents: boolean): AnyMove {
  const move = parseFields(value, what);
  knownKeys(move, takesEvents ? ["name", "budget", "input", "event"] : ["name", "budget", "input"], what);
  const { name, budget, input, event } = move;
  if (typeof name !== "string" || name === "") throw badInput(`${what}.name`, `give a text, not ${kindOf(name)}`);
  const paid = budget === null || budget === undefined ? null : budgetKinds.find((kind) => kind === budget);
  if (paid === undefined)
    throw badInput(`${what}.budget`, `give one of ${budgetKinds.join(", ")}, or leave it out, not ${kindOf(budget)}`);
  if ((input === undefined) === (event === undefined))
    throw badInput(what, takesEvents ? "give either an `input` or an `event`" : "give an `input`");
  if (event !== undefined) return { name, budget: paid, event: parseEvent(event, `${what}.event`) };
  return { name, budget: paid, input: parseMoveInput(input, `${what}.input`) };
}

function parseMoveInput(value: unknown, what: string): MoveInput {
  const input: Fields = parseFields(value, what);
  knownKeys(input, inputKeys, what);
  const { plan, ...rest } = input;
  const read = parseInput(Envelope, rest, what);
  const { type } = read.event;
  if (type === "team.create") return { ...read, plan: parseInput(TeamSpec, plan, `${what}.plan`) };
  if (type === "team.replan") return { ...read, plan: parseInput(ReplanSpec, plan, `${what}.plan`) };
  if (type === "team.invite") return { ...read, plan: parseInput(InviteSpec, plan, `${what}.plan`) };
  if (plan !== undefined) throw badInput(`${what}.plan`, `${type} has no plan`);
  return read;
}
