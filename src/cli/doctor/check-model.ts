import { lookAtKeys, type Environment } from "../../actors/models/model-keys.ts";
import { resolveModel } from "../../actors/models/model-registry.ts";
import { isTeamError } from "../../index.ts";
import { askLocalServer } from "./ask-local-server.ts";
import type { Check } from "./check.ts";

/** Which variables are set, never what they hold. */
const checkKeys = (environment: Environment): Check[] =>
  lookAtKeys(environment).map(({ variable, present }) => ({
    name: variable,
    state: present ? "ok" : "absent",
    text: present ? "set" : "not set",
    next: null,
  }));

/** The way to the model that was named, or what is missing on it. Nobody is asked but a server on this machine. */
async function checkRoute(model: string | null, environment: Environment): Promise<Check> {
  const name = "model";
  if (model === null) {
    const text = "none is named; team files with a script run without one";
    return { name, state: "absent", text, next: "teamchart doctor --model anthropic/claude-sonnet-4-5" };
  }
  if (model === "scripted") return { name, state: "ok", text: "scripted model, no LLM", next: null };
  try {
    const { route, limitKey } = await resolveModel(model, { environment });
    // Servers are limited by their address, all others by the variable of their key.
    const problem = limitKey === null ? null : await askLocalServer(limitKey);
    if (problem === null) return { name, state: "ok", text: route, next: null };
    return { name, state: "missing", text: `${route}: ${problem}`, next: "start it, then: teamchart doctor" };
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
