import { TeamError } from "../../errors/index.ts";
import type { SessionState } from "../../machines/index.ts";
import { badInput, thrownText } from "../fields.ts";
import type { Budget } from "./budgets.ts";
import type { AnyMove } from "./move.ts";
import { parseOwnMoves } from "./parse-own-moves.ts";
import { readSession, type SessionView } from "./session-view.ts";
import type { TeamModel } from "./team-model.ts";

/**
 * The moves of the user's own that are wanted: those of the world, and those of the protocol's host. `others` are the moves
 * that the model has beside them; a second one of the same name is refused, for a trace could not tell them apart.
 */
export function ownMoves(
  { options, facts, protocol }: TeamModel,
  session: SessionState,
  others: readonly AnyMove[],
  wants: (budget: Budget) => boolean,
): AnyMove[] {
  const view = readSession(session, facts);
  const own: AnyMove[] = options.world === undefined ? [] : [...worldMoves(options.world, view)];
  if (protocol?.protocol.moves !== undefined) {
    let given: unknown = [];
    try {
      given = protocol.protocol.moves(protocol.of(session), view);
    } catch (error) {
      const fault = `\`moves\` of ${protocol.id} threw: ${thrownText(error)}`;
      own.push({ name: `${protocol.id} is asked for its moves`, budget: null, fault });
    }
    own.push(...parseOwnMoves(given, "protocol.moves", true));
  }
  const names = new Set(others.map(({ name }) => name));
  for (const move of own) {
    const { name } = move;
    const plan = "input" in move ? move.input.plan : undefined;
    if (plan !== undefined && "rewire" in plan && plan.revision !== undefined)
      throw new TeamError("bad_input", {
        what: "moves",
        problem: `the plan of "${name}" names a revision, which no state of a model tells; leave it out`,
      });
    if (names.has(name)) throw new TeamError("bad_input", { what: "moves", problem: `two moves are called "${name}"` });
    names.add(name);
  }
  return own.filter(({ budget }) => budget === null || wants(budget));
}

function worldMoves(world: NonNullable<TeamModel["options"]["world"]>, view: SessionView): readonly AnyMove[] {
  let given: unknown;
  try {
    given = world(view);
  } catch (error) {
    throw badInput("model.world", `it threw: ${thrownText(error)}`, error);
  }
  return parseOwnMoves(given, "model.world", false);
}
