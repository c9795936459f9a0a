import type { Clock } from "../../protocol/clock.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { Prices } from "../../protocol/prices.ts";
import { ModelPool } from "../model-run/model-pool.ts";
import { scriptedModel } from "../models/scripted-model.ts";
import type { TeamSystemOptions } from "./team-system-options.ts";

/** What of a system's options was read already. */
interface Read {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly prices: Prices;
}

/** The models of a system. */
export const modelsOf = (
  { environment = process.env, script, model }: Pick<TeamSystemOptions, "environment" | "script" | "model">,
  { clock, limits, prices }: Read,
): ModelPool =>
  new ModelPool({
    environment,
    scripted: script === undefined ? null : scriptedModel(script, { clock }),
    defaultModel: model ?? null,
    clock,
    concurrentCallsMax: limits.concurrentCallsMax,
    prices,
    costLimit: limits.memberCostMax > 0 ? "memberCostMax" : limits.teamCostMax > 0 ? "teamCostMax" : null,
    responseMs: limits.chunkMs,
  });
