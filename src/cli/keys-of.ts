import { modelVariables, readVariable, type Environment } from "../actors/models/model-keys.ts";

/** The keys of this environment: whatever is shown or kept must not hold them. */
export const keysOf = (env: Environment): string[] =>
  modelVariables.filter((name) => name.endsWith("_KEY")).flatMap((name) => readVariable(env, name) ?? []);
