import { generateText, streamText } from "ai";
import { MockLanguageModelV3, MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { directProviders } from "../../../src/actors/models/direct-provider.ts";
import { lookAtKeys } from "../../../src/actors/models/model-keys.ts";
import { resolveModel } from "../../../src/actors/models/model-registry.ts";
import { scriptedModel } from "../../../src/actors/models/scripted-model.ts";
import { isTeamError } from "../../../src/errors/index.ts";
import { startOpenAiServer } from "../../support/openai-server.ts";

afterEach(() => vi.unstubAllEnvs());

const refusalOf = async (reference: string | null, environment: Record<string, string> = {}) => {
  const error: unknown = await resolveModel(reference, { environment }).catch((thrown: unknown) => thrown);
  if (!isTeamError(error)) return expect.unreachable("no TeamError");
  return { code: error.code, data: error.data, message: error.message };
};

test.each([
  ["anthropic/claude-x", "ANTHROPIC_API_KEY", "anthropic.messages", "claude-x"],
  ["openai/gpt-x", "OPENAI_API_KEY", "openai.responses", "gpt-x"],
  ["google/gemini-x", "GOOGLE_GENERATIVE_AI_API_KEY", "google.generative-ai", "gemini-x"],
])("%s is called directly with %s", async (name, variable, provider, modelId) => {
  const { model, route, limitKey } = await resolveModel(name, { environment: { [variable]: " k-123456 \n" } });
  expect([model.specificationVersion, model.provider, model.modelId]).toEqual(["v4", provider, modelId]);
  expect([route, limitKey]).toEqual([`${name} via ${variable}`, variable]);
});

test("the provider's own key goes before the gateway's", async () => {
  const environment = { ANTHROPIC_API_KEY: "k-123456", AI_GATEWAY_API_KEY: "g-123456" };
  expect((await resolveModel("anthropic/claude-x", { environment })).route).toBe(
    "anthropic/claude-x via ANTHROPIC_API_KEY",
  );
});

test.each(["anthropic/claude-x", "mistral/large"])(
  "%s goes through the gateway when only its key is there",
  async (name) => {
    const { model, route, limitKey } = await resolveModel(name, { environment: { AI_GATEWAY_API_KEY: "g-123456" } });
    expect([model.provider, model.modelId]).toEqual(["gateway", name]);
    expect([route, limitKey]).toEqual([`${name} via AI_GATEWAY_API_KEY`, "AI_GATEWAY_API_KEY"]);
  },
);

test.each([
  ["ollama/qwen/x", "qwen/x", "http://127.0.0.1:11434/v1"],
  ["lmstudio/m", "m", "http://127.0.0.1:1234/v1"],
  ["vllm/m", "m", "http://127.0.0.1:8000/v1"],
])("%s needs no key: it is looked for on this machine", async (name, modelId, address) => {
  const { model, route, limitKey } = await resolveModel(name, { environment: {} });
  expect([model.modelId, route, limitKey]).toEqual([modelId, `${name} via ${address}`, address]);
});

test("an OpenAI-compatible server is called at its address, with its key, and reports its tokens when it streams", async () => {
  await using server = await startOpenAiServer([{ text: "hello" }]);
  const environment = { OPENAI_COMPATIBLE_BASE_URL: `${server.baseUrl}/`, OPENAI_COMPATIBLE_API_KEY: "k-123456" };
  const { model, route } = await resolveModel("openai-compatible/m", { environment });
  const result = streamText({ model, prompt: "Go." });
  expect([await result.text, (await result.usage).totalTokens]).toEqual(["hello", 15]);
  expect(route).toBe(`openai-compatible/m via ${server.baseUrl}`);
  expect(server.requests[0]?.headers.authorization).toBe("Bearer k-123456");
});

test("a local server gets no authorization header without a key", async () => {
  await using server = await startOpenAiServer([{ text: "hello" }]);
  const { model } = await resolveModel("ollama/m", { environment: { OLLAMA_BASE_URL: server.baseUrl } });
  await generateText({ model, prompt: "Go." });
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test("key and address come from the environment that was given, never from the process", async () => {
  await using server = await startOpenAiServer([{ status: 400 }]);
  vi.stubEnv("ANTHROPIC_API_KEY", "of-the-process");
  vi.stubEnv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1/of-the-process");
  expect((await refusalOf("anthropic/claude-x")).code).toBe("no_model_key");
  const environment = { ANTHROPIC_API_KEY: "as-given", ANTHROPIC_BASE_URL: server.baseUrl };
  const { model, route } = await resolveModel("anthropic/claude-x", { environment });
  await generateText({ model, prompt: "Go.", maxRetries: 0 }).catch(() => undefined);
  expect(server.requests[0]?.headers["x-api-key"]).toBe("as-given");
  expect(route).toBe(`anthropic/claude-x via ANTHROPIC_API_KEY at ${server.baseUrl}`);
});

test.each([
  ["anthropic/claude-x", ["ANTHROPIC_API_KEY", "AI_GATEWAY_API_KEY"]],
  ["openai/gpt-x", ["OPENAI_API_KEY", "AI_GATEWAY_API_KEY"]],
  ["google/gemini-x", ["GOOGLE_GENERATIVE_AI_API_KEY", "AI_GATEWAY_API_KEY"]],
  ["mistral/large", ["AI_GATEWAY_API_KEY"]],
  ["__proto__/x", ["AI_GATEWAY_API_KEY"]],
  ["openai-compatible/m", ["OPENAI_COMPATIBLE_BASE_URL"]],
  ["scripted", ["the script of the team file"]],
])("%s without a key is refused, with every variable that was looked at", async (model, looked) => {
  expect(await refusalOf(model)).toMatchObject({ code: "no_model_key", data: { model, looked } });
});

test("no model at all is refused with every variable that could give one", async () => {
  const { code, data, message } = await refusalOf(null);
  expect(code).toBe("no_model_key");
  expect(data).toEqual({
    model: null,
    missing: "name",
    looked: [
      "TEAMCHART_MODEL",
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GOOGLE_GENERATIVE_AI_API_KEY",
      "AI_GATEWAY_API_KEY",
      "OPENAI_COMPATIBLE_BASE_URL",
    ],
  });
  expect(message).toContain("--model ollama/NAME");
});

test.each([
  [null, "no model is named. Name one: --model provider/NAME"],
  ["openai/gpt-5", 'no key for "openai/gpt-5": OPENAI_API_KEY, AI_GATEWAY_API_KEY are not set. Set OPENAI_API_KEY or'],
  ["opnai/gpt-5", 'no provider for "opnai/gpt-5" (did you mean "openai"?)'],
  ["opnai/gpt-5", "Use one of anthropic, openai, google, ollama, lmstudio, vllm, openai-compatible"],
  ["openai-compatible/m", 'no address for "openai-compatible/m": OPENAI_COMPATIBLE_BASE_URL is not set'],
  ["scripted", 'there is no script for "scripted". Give it a script'],
])("what is missing for %s is said: %s", async (model, text) => {
  expect((await refusalOf(model)).message).toContain(text);
});

test("an empty key is no key", async () => {
  expect((await refusalOf("openai/gpt-x", { OPENAI_API_KEY: "  " })).code).toBe("no_model_key");
});

test.each(["gpt-x", "", "/x", "openai/", " "])("the name %j is refused: it isn't provider/model", async (name) => {
  const { code, message } = await refusalOf(name, { OPENAI_API_KEY: "k", AI_GATEWAY_API_KEY: "g" });
  expect([code, message]).toEqual(["bad_input", expect.stringContaining("expected provider/model")]);
});

test("a package that isn't installed is named, with the command that installs it", async () => {
  const anthropic = directProviders.get("anthropic");
  if (anthropic === undefined) return expect.unreachable();
  const cause = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  const providers = new Map([["anthropic", { ...anthropic, load: () => Promise.reject(cause) }]]);
  const call = resolveModel("anthropic/x", { environment: { ANTHROPIC_API_KEY: "k" }, providers });
  await expect(call).rejects.toMatchObject({
    code: "disabled",
    message:
      "the package @ai-sdk/anthropic of the provider anthropic is not installed. Install it: npm install @ai-sdk/anthropic@4.",
    cause,
  });
});

test.each(["not an address", "ftp://host/v1", "localhost:8000"])(
  "the address %s is refused by its variable's name",
  async (address) => {
    const { code, message } = await refusalOf("openai-compatible/m", { OPENAI_COMPATIBLE_BASE_URL: address });
    expect([code, message]).toEqual(["bad_input", expect.stringContaining("OPENAI_COMPATIBLE_BASE_URL")]);
    expect(message).not.toContain(address);
  },
);

test("no route and no refusal shows a secret of the environment", async () => {
  const secret = "s3cret-0123456789";
  const environment = {
    ANTHROPIC_API_KEY: secret,
    OPENAI_API_KEY: secret,
    AI_GATEWAY_API_KEY: secret,
    OPENAI_COMPATIBLE_API_KEY: secret,
    OPENAI_COMPATIBLE_BASE_URL: `http://user:${secret}@127.0.0.1:1/v1?key=${secret}`,
    VLLM_BASE_URL: `${secret}://x`,
  };
  const names = fc.constantFrom("anthropic/x", "openai/x", "google/x", "openai-compatible/x", "vllm/x", "x");
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      const told = await resolveModel(name, { environment }).then(
        ({ route, limitKey }) => `${route} ${limitKey}`,
        (error: unknown) => `${String(error)} ${JSON.stringify(error)}`,
      );
      expect(told).not.toContain(secret);
    }),
    { numRuns: 30 },
  );
});

test("a model of the AI SDK passes through as it is", async () => {
  const model = new MockLanguageModelV4({ provider: "mine", modelId: "m" });
  expect(await resolveModel(model, { environment: {} })).toEqual({
    model,
    route: "mine/m as given",
    names: ["mine/m"],
    limitKey: "mine",
  });
});

test("a model whose provider names its kind of models too can be named without that, as its price is", async () => {
  const model = new MockLanguageModelV4({ provider: "openai.responses", modelId: "gpt-5" });
  const { names } = await resolveModel(model, { environment: {} });
  expect(names).toEqual(["openai.responses/gpt-5", "openai/gpt-5"]);
});

test("a model of an older kind is given today's interface", async () => {
  const { model, route } = await resolveModel(new MockLanguageModelV3({ provider: "old", modelId: "m" }), {
    environment: {},
  });
  expect([model.specificationVersion, route]).toEqual(["v4", "old/m as given"]);
});

test("what is no model is refused", async () => {
  const call = resolveModel({ provider: "x" } as never, { environment: {} });
  await expect(call).rejects.toMatchObject({ code: "bad_input" });
});

test.each(["scripted", "scripted:demo"])(
  "%s is the script's model, and its route says that it is no language model",
  async (name) => {
    const scripted = scriptedModel([{ text: "x" }]);
    const resolved = await resolveModel(name, { environment: {}, scripted });
    expect(resolved).toEqual({
      model: scripted,
      route: "scripted model, no LLM",
      names: ["scripted"],
      limitKey: null,
    });
    expect(await resolveModel(scripted, { environment: {} })).toEqual(resolved);
  },
);

test("lookAtKeys tells which variables are set and never a value", () => {
  const environment = { OPENAI_API_KEY: "s3cret-0123456789", ANTHROPIC_API_KEY: "", PATH: "/bin" };
  const keys = lookAtKeys(environment);
  expect(keys).toContainEqual({ variable: "OPENAI_API_KEY", present: true });
  expect(keys).toContainEqual({ variable: "ANTHROPIC_API_KEY", present: false });
  expect(JSON.stringify(keys)).not.toContain("s3cret");
});
