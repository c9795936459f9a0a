import type { Clock } from "../protocol/clock.ts";
import type { Limits } from "../protocol/limits.ts";
import { ModelPool } from "./model-pool.ts";
import { scriptedModel } from "./models/scripted-model.ts";
import type { TeamSystemOptions } from "./team-system.ts";

/** The models of a system. */
export const modelsOf = (
  { environment = process.env, script, model }: Pick<TeamSystemOptions, "environment" | "script" | "model">,
  { clock, limits }: { readonly clock: Clock; readonly limits: Limits },
): ModelPool =>
  new ModelPool({
    environment,
    scripted: script === undefined ? null : scriptedModel(script, { clock }),
    defaultModel: model ?? null,
    clock,
    concurrentCallsMax: limits.concurrentCallsMax,
    responseMs: limits.chunkMs,
  });
