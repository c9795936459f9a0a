import { directFetch } from "./direct-fetch.ts";
import type { LanguageModelV4 } from "./language-model-v4.ts";

interface Access {
  readonly apiKey: string;
  readonly baseURL: string;
}

/** A provider that is called directly, with the user's own key, by a package that the user installs. */
export interface DirectProvider {
  readonly keyVariable: string;
  /** The variable that replaces `baseUrl`, or null where the provider knows none. */
  readonly baseUrlVariable: string | null;
  readonly baseUrl: string;
  readonly packageName: string;
  /** Loads the package. It rejects when the package isn't installed. */
  readonly load: () => Promise<(access: Access, modelId: string) => LanguageModelV4>;
}

/** Bundlers let a package be missing where the failure of its import is handled, and refuse to build elsewhere. */
const rethrow = (cause: unknown): never => {
  throw cause;
};

/**
 * The direct providers by the first part of a model's name. Addresses are written out here, so that the packages don't
 * look them up in the environment themselves.
 */
export const directProviders: ReadonlyMap<string, DirectProvider> = new Map([
  [
    "anthropic",
    {
      keyVariable: "ANTHROPIC_API_KEY",
      baseUrlVariable: "ANTHROPIC_BASE_URL",
      baseUrl: "https://api.anthropic.com/v1",
      packageName: "@ai-sdk/anthropic",
      load: async () => {
        const { createAnthropic } = await import("@ai-sdk/anthropic").catch(rethrow);
        return (access, modelId) => createAnthropic({ ...access, fetch: directFetch })(modelId);
      },
    },
  ],
  [
    "openai",
    {
      keyVariable: "OPENAI_API_KEY",
      baseUrlVariable: "OPENAI_BASE_URL",
      baseUrl: "https://api.openai.com/v1",
      packageName: "@ai-sdk/openai",
      load: async () => {
        const { createOpenAI } = await import("@ai-sdk/openai").catch(rethrow);
        return (access, modelId) => createOpenAI({ ...access, fetch: directFetch })(modelId);
      },
    },
  ],
  [
    "google",
    {
      keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
      baseUrlVariable: null,
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      packageName: "@ai-sdk/google",
      load: async () => {
        const { createGoogle } = await import("@ai-sdk/google").catch(rethrow);
        return (access, modelId) => createGoogle({ ...access, fetch: directFetch })(modelId);
      },
    },
  ],
]);
