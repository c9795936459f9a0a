import { isGranted, isRefused } from "./match-rule.ts";
import { pathMatches } from "./path-pattern.ts";
import type { PermissionCall } from "./permission-call.ts";
import type { PermissionLayer, PermissionLayers } from "./permission-layers.ts";

/** What a policy says of a call, from the most to the least free. */
export type PermissionVerdict = "allow" | "ask" | "deny";

/** A verdict, and whose rule or mode it comes from. */
export interface PermissionDecision {
  readonly verdict: PermissionVerdict;
  /** As the end of a sentence: `the rule "x" of the session denies it`. */
  readonly why: string;
}

const strictness: Readonly<Record<PermissionVerdict, number>> = { allow: 0, ask: 1, deny: 2 };

/** The verdict on a call: the strictest of all layers, the first of those that are alike. */
export function decidePermission(layers: PermissionLayers, call: PermissionCall): PermissionDecision {
  let strictest: PermissionDecision = { verdict: "allow", why: "" };
  for (const layer of layers) {
    const decision = decideLayer(layer, call);
    if (strictness[decision.verdict] > strictness[strictest.verdict]) strictest = decision;
    if (strictest.verdict === "deny") break;
  }
  return strictest;
}

const allowed: PermissionDecision = { verdict: "allow", why: "" };

function decideLayer(layer: PermissionLayer, call: PermissionCall): PermissionDecision {
  const { mode, rules, of } = layer;
  const denied = rules.deny.find((rule) => isRefused(rule, call));
  if (denied !== undefined) return { verdict: "deny", why: `the rule "${denied.text}" of ${of} denies it` };
  if (mode === "bypass") return allowed;
  if (mode === "explore" && call.kind === "tool" && call.effect !== "read") {
    return { verdict: "deny", why: `${of} only explores, and this can change something` };
  }
  const asked = rules.ask.find((rule) => isRefused(rule, call));
  if (asked === undefined) {
    if (mode === "open" || isNatural(layer, call) || rules.allow.some((rule) => isGranted(rule, call))) return allowed;
  }
  const why =
    asked === undefined ? `the mode ${mode} of ${of} does not allow it` : `the rule "${asked.text}" of ${of} asks`;
  return mode === "deny" ? { verdict: "deny", why: `${why}, and nobody is to be asked` } : { verdict: "ask", why };
}

/** Whether the mode alone lets a call run. */
function isNatural({ mode, directories }: PermissionLayer, { kind, effect, path }: PermissionCall): boolean {
  if (kind === "network" || effect === "other") return false;
  if (effect === "edit" && mode !== "accept_edits") return false;
  if (path === undefined) return effect === "read";
  return directories === null || directories.some((directory) => pathMatches(directory, path, { below: true }));
}
