import type { RequestTexts } from "../../machines/index.ts";
import { createRedactor } from "../recording/redactor.ts";

const charsMax = 2_000;
/** Of one text in it, so that no long one hides the others. */
const textCharsMax = 400;
const chainsMax = 9;

const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}... (${text.length - max} characters more)`;

const redactor = createRedactor();

/** What a permission request is about, from the body of `permission.ask`: bounded, and without what looks like a secret. */
export function requestTexts(body: unknown): RequestTexts | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { input, target, chains } = { input: undefined, target: null, chains: [], ...body };
  const json = JSON.stringify(redactor.value(input), (_key, value: unknown) =>
    typeof value === "string" ? shortened(value, textCharsMax) : value,
  );
  return {
    ...(json === undefined ? {} : { input: shortened(json, charsMax) }),
    ...(typeof target === "string" ? { target: shortened(redactor.text(target), textCharsMax) } : {}),
    ...(Array.isArray(chains) ? { chains: chains.slice(-chainsMax).filter(isNames) } : {}),
  };
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === "string");
