import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createGateway, wrapLanguageModel, type LanguageModel } from "ai";
import { TeamError, type ErrorData } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";
import { directFetch } from "./direct-fetch.ts";
import { directProviders, type DirectProvider } from "./direct-provider.ts";
import type { LanguageModelV4 } from "./language-model-v4.ts";
import { modelVariables, readVariable, type Environment } from "./model-keys.ts";

const gatewayVariable = "AI_GATEWAY_API_KEY";

/** A server that speaks OpenAI's protocol: where it is looked for, and what it needs. */
interface CompatibleServer {
  readonly baseUrlVariable: string;
  /** Where the server listens by default; null where only the variable can say. */
  readonly baseUrl: string | null;
  readonly keyVariable: string | null;
}

const compatibleServers: ReadonlyMap<string, CompatibleServer> = new Map([
  ["ollama", { baseUrlVariable: "OLLAMA_BASE_URL", baseUrl: "http://127.0.0.1:11434/v1", keyVariable: null }],
  ["lmstudio", { baseUrlVariable: "LMSTUDIO_BASE_URL", baseUrl: "http://127.0.0.1:1234/v1", keyVariable: null }],
  ["vllm", { baseUrlVariable: "VLLM_BASE_URL", baseUrl: "http://127.0.0.1:8000/v1", keyVariable: null }],
  [
    "openai-compatible",
    { baseUrlVariable: "OPENAI_COMPATIBLE_BASE_URL", baseUrl: null, keyVariable: "OPENAI_COMPATIBLE_API_KEY" },
  ],
]);

/** A model that can be called, and the way to it. */
export interface ResolvedModel {
  readonly model: LanguageModelV4;
  /** The way to the model, to be printed: names and addresses, never a key. */
  readonly route: string;
  /** What its price may be found by: `provider/model`, or `scripted`. */
  readonly names: readonly string[];
  /** Calls of one key share one rate limit (`createCallLimiter`); null where there is none to keep. */
  readonly limitKey: string | null;
  /** False for a kind of model that was there before efforts were: it would pass over one without a word. */
  readonly readsEffort?: false;
}

/** What models are looked for in. */
export interface ModelRegistryOptions {
  readonly environment: Environment;
  /** The model behind the name `scripted`, where the run has a script. */
  readonly scripted?: LanguageModelV4 | null;
  /** The providers that are called directly; those of this package unless a test says otherwise. */
  readonly providers?: ReadonlyMap<string, DirectProvider>;
}

const noModel = (data: ErrorData<"no_model_key">): TeamError => new TeamError("no_model_key", data);

/** A name whose provider is none of those here, and no gateway that could know it. */
const noProvider = (model: string, name: string, providers: Iterable<string>): TeamError => {
  const known = [...providers, ...compatibleServers.keys()];
  const looked = [gatewayVariable];
  return noModel({ model, looked, missing: "provider", known, nearest: nearestName(name, known) });
};

const badModel = (model: string, problem: string): TeamError =>
  new TeamError("bad_input", { what: `model ${JSON.stringify(model.slice(0, 100))}`, problem });

/** An address from the environment. What is wrong with it is told without showing it: it may hold a password. */
const readBaseUrl = (environment: Environment, variable: string): string | null => {
  const value = readVariable(environment, variable);
  if (value === null) return null;
  const url = URL.parse(value);
  if (url?.protocol === "http:" || url?.protocol === "https:") return value;
  throw new TeamError("bad_input", { what: variable, problem: "expected an address that begins http:// or https://" });
};

/** An address as it may be printed. */
const shownUrl = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, "");
};

const loadProvider = async (name: string, provider: DirectProvider) => {
  try {
    return await provider.load();
  } catch (cause) {
    const what = `the package ${provider.packageName} of the provider ${name}`;
    const how = `Install it: npm install ${provider.packageName}@4`;
    throw new TeamError("disabled", { what, how, why: "not installed" }, { cause });
  }
};

const resolveCompatible = (
  name: string,
  modelId: string,
  { server, environment }: { server: CompatibleServer; environment: Environment },
): ResolvedModel => {
  const baseURL = readBaseUrl(environment, server.baseUrlVariable) ?? server.baseUrl;
  if (baseURL === null) {
    throw noModel({ model: `${name}/${modelId}`, looked: [server.baseUrlVariable], missing: "address" });
  }
  const apiKey = server.keyVariable === null ? null : readVariable(environment, server.keyVariable);
  const provider = createOpenAICompatible({
    name,
    baseURL,
    // Without it a stream reports no tokens.
    includeUsage: true,
    fetch: directFetch,
    ...(apiKey === null ? {} : { apiKey }),
  });
  const route = `${name}/${modelId} via ${shownUrl(baseURL)}`;
  return { model: provider(modelId), route, names: [`${name}/${modelId}`], limitKey: shownUrl(baseURL) };
};

const resolveDirect = async (
  name: string,
  modelId: string,
  { provider, apiKey, environment }: { provider: DirectProvider; apiKey: string; environment: Environment },
): Promise<ResolvedModel> => {
  const own = provider.baseUrlVariable === null ? null : readBaseUrl(environment, provider.baseUrlVariable);
  const create = await loadProvider(name, provider);
  const at = own === null ? "" : ` at ${shownUrl(own)}`;
  const route = `${name}/${modelId} via ${provider.keyVariable}${at}`;
  return {
    model: create({ apiKey, baseURL: own ?? provider.baseUrl }, modelId),
    route,
    names: [`${name}/${modelId}`],
    limitKey: provider.keyVariable,
  };
};

const resolveName = async (reference: string, options: ModelRegistryOptions): Promise<ResolvedModel> => {
  const { environment, scripted = null, providers = directProviders } = options;
  if (reference === "scripted" || reference.startsWith("scripted:")) {
    if (scripted === null) {
      throw noModel({ model: reference, looked: ["the script of the team file"], missing: "script" });
    }
    return { model: scripted, route: "scripted model, no LLM", names: ["scripted"], limitKey: null };
  }
  const slash = reference.indexOf("/");
  const [name, modelId] = [reference.slice(0, slash), reference.slice(slash + 1)];
  if (slash <= 0 || modelId === "")
    throw badModel(reference, "expected provider/model, like anthropic/NAME or ollama/NAME");
  const server = compatibleServers.get(name);
  if (server !== undefined) return resolveCompatible(name, modelId, { server, environment });

  const provider = providers.get(name);
  const apiKey = provider === undefined ? null : readVariable(environment, provider.keyVariable);
  if (provider !== undefined && apiKey !== null) {
    return resolveDirect(name, modelId, { provider, apiKey, environment });
  }
  const gatewayKey = readVariable(environment, gatewayVariable);
  if (gatewayKey === null) {
    if (provider === undefined) throw noProvider(reference, name, providers.keys());
    throw noModel({ model: reference, looked: [provider.keyVariable, gatewayVariable], missing: "key" });
  }
  const model = createGateway({ apiKey: gatewayKey, fetch: directFetch })(reference);
  return { model, route: `${reference} via ${gatewayVariable}`, names: [reference], limitKey: gatewayVariable };
};

/** A provider of the SDK may name its kind of model too: `openai.responses` is `openai`. */
const namesOf = ({ provider, modelId }: Pick<LanguageModelV4, "provider" | "modelId">): string[] => [
  ...new Set([`${provider}/${modelId}`, `${provider.split(".")[0] ?? provider}/${modelId}`]),
];

/** A model that the caller made. Older kinds are given the interface of today by the SDK itself. */
const adopt = (given: Exclude<LanguageModel, string>): ResolvedModel => {
  if (!["v4", "v3", "v2"].includes(given.specificationVersion)) {
    throw new TeamError("bad_input", { what: "model", problem: "expected provider/model or a model of the AI SDK" });
  }
  const model = given.specificationVersion === "v4" ? given : wrapLanguageModel({ model: given, middleware: [] });
  const isScripted = model.provider === "scripted";
  return {
    model,
    route: isScripted ? "scripted model, no LLM" : `${model.provider}/${model.modelId} as given`,
    names: isScripted ? ["scripted"] : namesOf(model),
    limitKey: isScripted ? null : model.provider,
    ...(given === model ? {} : { readsEffort: false }),
  };
};

/**
 * Finds the model behind a name `provider/model`: by the provider's own key, else by the gateway's; `ollama/`,
 * `lmstudio/`, `vllm/` and `openai-compatible/` by their address. A model of the AI SDK passes through.
 *
 * There is no quiet stand-in: what can't be reached is refused with `no_model_key`, and the error lists every variable
 * that was looked at. `null` stands for "nobody named a model".
 */
export const resolveModel = async (
  reference: LanguageModel | null,
  options: ModelRegistryOptions,
): Promise<ResolvedModel> => {
  if (reference === null) throw noModel({ model: null, looked: modelVariables, missing: "name" });
  return typeof reference === "string" ? resolveName(reference.trim(), options) : adopt(reference);
};
