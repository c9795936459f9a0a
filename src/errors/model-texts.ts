import { didYouMean, list } from "./entry.ts";

/** What `no_model_key` carries. */
export interface NoModelData {
  /** The name that was given; null where nobody named a model. */
  readonly model: string | null;
  /** The variables that were looked at, and what else was. */
  readonly looked: readonly string[];
  /** What is not there: a name, the provider's key, its address, a provider of that name, or a script. */
  readonly missing: "name" | "key" | "address" | "provider" | "script";
  /** The providers that there are, where the one that was named is none of them. */
  readonly known?: readonly string[];
  /** The known provider that was probably meant. */
  readonly nearest?: string | null;
}

const named = ({ model }: NoModelData): string => (model === null ? "" : ` for "${model}"`);

/** What was wrong, for `no_model_key`. */
export function noModelText(data: NoModelData): string {
  const { missing, looked } = data;
  if (missing === "name") return "no model is named";
  if (missing === "script") return `there is no script${named(data)}`;
  const unset = `${list(looked)} ${looked.length === 1 ? "is" : "are"} not set`;
  if (missing !== "provider") return `no ${missing}${named(data)}: ${unset}`;
  return `no provider${named(data)}${didYouMean(data.nearest ?? null)}: only the gateway could know it, and ${unset}`;
}

/** What to do about it, for `no_model_key`. */
export function noModelNext({ missing, looked, known }: NoModelData): string {
  if (missing === "script") return "Give it a script, or name another model: provider/NAME";
  if (missing === "provider") return `Use one of ${list(known ?? [])}, or set ${looked.join(" or ")}`;
  if (missing !== "name") return `Set ${looked.join(" or ")}, or name another model, such as ollama/NAME`;
  return (
    "Name one: --model provider/NAME (without a key: --model ollama/NAME), `model:` in the team file, " +
    "or createTeamSystem({ model }); a file with a script needs none"
  );
}
