import type { ToolSet } from "ai";
import type { TeamPort } from "../port.ts";
import { boardToolBlock, boardTools } from "./board-tools.ts";
import { mailTools } from "./mail-tools.ts";
import type { AgentTypeListing } from "./team-inputs.ts";
import { teamToolBlock, teamTools } from "./team-tools.ts";

/** The blocks of a system: for sessions without a task board, and for those with one, with its tools behind the block. */
export function toolBlocks(options: { readonly agentTypes: readonly AgentTypeListing[] }) {
  return Object.freeze({
    plain: teamToolBlock(options),
    withBoard: teamToolBlock({ ...options, tasks: true }),
    board: boardToolBlock(options),
  });
}

/** Blocks made by `toolBlocks`. */
export type ToolBlocks = ReturnType<typeof toolBlocks>;

/** The team's tools of one caller: the block, its mail, and behind them the board's tools where there is a board. */
export const toolsOfTeam = (port: TeamPort, blocks: ToolBlocks, hasBoard: boolean): ToolSet => ({
  ...teamTools(port, hasBoard ? blocks.withBoard : blocks.plain),
  ...mailTools(port),
  ...(hasBoard ? boardTools(port, blocks.board) : {}),
});
