import type { ReplanSpec } from "../../protocol/spec.ts";
import { inMove } from "./move-name.ts";

/** What a plan does, in a few words: `cancels A, adds B, retries C`. Plans that do different things have different words. */
export function planText({ cancel, retry, add, rewire, shutdown }: ReplanSpec): string {
  const parts = [
    ...cancel.map((name) => `cancels ${inMove(name)}`),
    ...add.map(({ name, replaces, dependsOn, lifetime, requirePlan }) => {
      const marks = [
        ...(lifetime === "persistent" ? ["persistent"] : []),
        ...(requirePlan ? ["with a plan"] : []),
        ...(replaces === undefined ? [] : [`for ${inMove(replaces)}`]),
        ...(dependsOn === undefined || dependsOn.length === 0 ? [] : [`behind ${namesOf(dependsOn)}`]),
        // Nothing said, a replacement takes over what the one replaced waits for.
        ...(replaces !== undefined && dependsOn?.length === 0 ? ["behind nobody"] : []),
      ];
      return ["adds", inMove(name), ...marks].join(" ");
    }),
    ...retry.map(({ name }) => `retries ${inMove(name)}`),
    ...rewire.map(({ name, dependsOn }) =>
      dependsOn.length === 0 ? `frees ${inMove(name)}` : `puts ${inMove(name)} behind ${namesOf(dependsOn)}`,
    ),
    ...shutdown.map((name) => `shuts ${inMove(name)} down`),
  ];
  return parts.length === 0 ? "changes nothing" : parts.join(", ");
}

const namesOf = (names: readonly string[]): string => names.map(inMove).join(" and ");
