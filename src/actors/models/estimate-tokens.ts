import type { Prompt } from "./language-model-v4.ts";

type Part = Exclude<Prompt[number]["content"], string>[number];

const charsPerToken = 4;

/** How many characters of a part a model reads as text. Files and images are left out: their cost is the provider's own. */
const charsOf = (part: Part): number => {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text.length;
    case "tool-call":
      return part.toolName.length + jsonLength(part.input);
    case "tool-result":
      return jsonLength("value" in part.output ? part.output.value : part.output.reason);
    default:
      return 0;
  }
};

const jsonLength = (value: unknown): number =>
  typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0);

/** About how many tokens a text has: one for every four characters, rounded up. */
export const estimateTextTokens = (text: string): number => Math.ceil(text.length / charsPerToken);

/** About how many tokens a prompt has, by the same rule: for a provider that doesn't say, and for the scripted model. */
export const estimatePromptTokens = (prompt: Prompt): number => {
  let chars = 0;
  for (const { content } of prompt) {
    if (typeof content === "string") chars += content.length;
    else for (const part of content) chars += charsOf(part);
  }
  return Math.ceil(chars / charsPerToken);
};
