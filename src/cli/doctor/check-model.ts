import { lookAtKeys, type Environment } from "../../actors/models/model-keys.ts";
import { createTeamSystem, isTeamError } from "../../index.ts";
import type { Check } from "./check.ts";

/** Which variables are set, never what they hold. */
const checkKeys = (environment: Environment): Check[] =>
  lookAtKeys(environment).map(({ variable, present }) => ({
    name: variable,
    state: present ? "ok" : "absent",
    text: present ? "set" : "not set",
    next: null,
  }));

/** The way to the model that was named, or what is missing on it. Nothing is sent to anybody. */
async function checkRoute(model: string | null, environment: Environment): Promise<Check> {
  const name = "model";
  if (model === null) {
    const text = "none is named; team files with a script run without one";
    return { name, state: "absent", text, next: "teamchart doctor --model anthropic/claude-sonnet-4-5" };
  }
  if (model === "scripted") return { name, state: "ok", text: "scripted model, no LLM", next: null };
  try {
    await using system = await createTeamSystem({ environment });
    return { name, state: "ok", text: await system.routeOf(model), next: null };
  } catch (error) {
    if (!isTeamError(error)) throw error;
    return { name, state: "missing", text: error.message, next: nextOf(error) };
  }
}

function nextOf(error: unknown): string | null {
  if (isTeamError(error, "no_model_key")) {
    const { missing, looked } = error.data;
    const [variable] = looked;
    const isVariable = missing === "key" || missing === "address";
    return isVariable && variable !== undefined ? `export ${variable}=...` : null;
  }
  return isTeamError(error, "disabled") ? error.data.how : null;
}

/** Everything about models. */
export const checkModel = async (model: string | null, environment: Environment): Promise<Check[]> => [
  ...checkKeys(environment),
  await checkRoute(model, environment),
];
