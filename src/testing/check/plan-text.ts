import type { ReplanSpec } from "../../protocol/spec.ts";

/** What a plan does, in a few words: `cancels A, adds B, retries C`. Plans that do different things have different words. */
export function planText({ cancel, retry, add, rewire, shutdown }: ReplanSpec): string {
  const parts = [
    ...cancel.map((name) => `cancels ${name}`),
    ...add.map(({ name, replaces, dependsOn, lifetime, requirePlan }) => {
      const marks = [
        ...(lifetime === "persistent" ? ["persistent"] : []),
        ...(requirePlan ? ["with a plan"] : []),
        ...(replaces === undefined ? [] : [`for ${replaces}`]),
        ...(dependsOn === undefined || dependsOn.length === 0 ? [] : [`behind ${dependsOn.join(" and ")}`]),
        // Nothing said, a replacement takes over what the one replaced waits for.
        ...(replaces !== undefined && dependsOn?.length === 0 ? ["behind nobody"] : []),
      ];
      return ["adds", name, ...marks].join(" ");
    }),
    ...retry.map(({ name }) => `retries ${name}`),
    ...rewire.map(({ name, dependsOn }) =>
      dependsOn.length === 0 ? `frees ${name}` : `puts ${name} behind ${dependsOn.join(" and ")}`,
    ),
    ...shutdown.map((name) => `shuts ${name} down`),
  ];
  return parts.length === 0 ? "changes nothing" : parts.join(", ");
}
