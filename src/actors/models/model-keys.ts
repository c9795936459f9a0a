/** Environment variables, as the program was given them. Nothing below the CLI reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable that can give a model, in the order in which a list of them is printed. */
export const modelVariables = [
  "TEAMCHART_MODEL",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "AI_GATEWAY_API_KEY",
  "OPENAI_COMPATIBLE_BASE_URL",
] as const;

/** Variables that change where a model is looked for, and that no model needs. */
const optionalVariables = [
  "OPENAI_COMPATIBLE_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_BASE_URL",
  "OLLAMA_BASE_URL",
  "LMSTUDIO_BASE_URL",
  "VLLM_BASE_URL",
] as const;

/** The value of a variable without the blanks around it, or null where there is none. */
export const readVariable = (environment: Environment, variable: string): string | null => {
  const value = Object.hasOwn(environment, variable) ? environment[variable]?.trim() : undefined;
  return value === undefined || value === "" ? null : value;
};

/** Which variables about models are set. It never holds a value, so a report may print it whole. */
export const lookAtKeys = (environment: Environment): readonly { variable: string; present: boolean }[] =>
  [...modelVariables, ...optionalVariables].map((variable) => ({
    variable,
    present: readVariable(environment, variable) !== null,
  }));
