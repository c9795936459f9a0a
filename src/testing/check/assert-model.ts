import { badInput, isFields, kindOf } from "../fields.ts";

/** Refuses what is no model: options of one, most of all. */
export function assertModel(value: unknown): void {
  if (isFields(value) && typeof value["moves"] === "function" && typeof value["step"] === "function") return;
  throw badInput("model", `give what \`teamModel(options)\` makes, not ${kindOf(value)}`);
}
