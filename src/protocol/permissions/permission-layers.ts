import type { AgentPermissions, PermissionMode, PermissionPolicy } from "./permission-policy.ts";
import { parsePermissionRule, toolRule, type PermissionRule } from "./permission-rule.ts";

/** One policy that holds for an actor. */
export interface PermissionLayer {
  /** Whose it is, for people: `the session`, `the Lead`, `the agent type "writer"`. */
  readonly of: string;
  /** `open`: nobody gave a policy, and everything runs but what must ask. */
  readonly mode: PermissionMode | "open";
  /** Null = the whole workspace, since nobody named any. */
  readonly directories: readonly string[] | null;
  readonly rules: Readonly<Record<"allow" | "deny" | "ask", readonly PermissionRule[]>>;
  readonly approver: "user" | "lead";
}

/**
 * The rights of an actor: every policy above it and its own. A call has the strictest verdict of them all, so nobody can do
 * what somebody above could not.
 */
export type PermissionLayers = readonly PermissionLayer[];

const noRules: PermissionLayer["rules"] = { allow: [], deny: [], ask: [] };

/** The rights where nobody gave a policy: what the host registered may be used. */
const openLayer: PermissionLayer = {
  of: "the session",
  mode: "open",
  directories: null,
  rules: noRules,
  approver: "user",
};

/** The rights that a system gives to everybody. */
export const sessionLayer = (policy: PermissionPolicy | undefined): PermissionLayer =>
  policy === undefined
    ? openLayer
    : {
        ...openLayer,
        mode: policy.mode ?? "default",
        directories: policy.directories ?? null,
        rules: parsedRules(policy.rules),
        approver: policy.approver ?? openLayer.approver,
      };

/** What is set up for one actor beside its policy. */
export interface OwnPermissions {
  readonly of: string;
  readonly policy: AgentPermissions | undefined;
  /** Tools that must ask, whatever their names are made of. */
  readonly ask?: readonly string[];
}

/** The rights of an actor under those of another: what it inherits is for its flags to say. */
export function narrowPermissions(above: PermissionLayers, { of, policy, ask = [] }: OwnPermissions): PermissionLayers {
  const upper = above.at(-1) ?? openLayer;
  if (policy === undefined && ask.length === 0) return above;
  const { mode, directories, rules, approver, overrideLeadMode, extendLeadRules, extendLeadDirectories } = policy ?? {};
  const own = parsedRules(rules);
  const inherited = extendLeadRules === false ? noRules : upper.rules;
  const inheritedDirectories = extendLeadDirectories === false ? null : upper.directories;
  const given = overrideLeadMode === true ? (mode ?? upper.mode) : upper.mode;
  const layer: PermissionLayer = {
    of,
    // Whoever gives a policy means it: where nobody above gave one, its directories and allowed calls would bound nothing.
    mode: given === "open" && policy !== undefined ? "default" : given,
    directories: directories === undefined ? inheritedDirectories : [...(inheritedDirectories ?? []), ...directories],
    rules: {
      allow: [...inherited.allow, ...own.allow],
      deny: [...inherited.deny, ...own.deny],
      ask: [...inherited.ask, ...own.ask, ...ask.map(toolRule)],
    },
    approver: approver ?? upper.approver,
  };
  return [...above, layer];
}

/** The same rights once the actor was let out of explore mode: its own mode is that of whoever stands above it. */
export function leaveExplore(layers: PermissionLayers): PermissionLayers {
  const [own, upper] = [layers.at(-1), layers.at(-2)];
  if (own?.mode !== "explore" || upper === undefined) return layers;
  return [...layers.slice(0, -1), { ...own, mode: upper.mode }];
}

/** Whether an actor only explores by its own policy, so that somebody could let it out. */
export const canLeaveExplore = (layers: PermissionLayers): boolean =>
  layers.at(-1)?.mode === "explore" && layers.slice(0, -1).every(({ mode }) => mode !== "explore");

/** Whether nothing is ever asked for or denied. */
export const isUnruled = (layers: PermissionLayers): boolean =>
  layers.every(({ mode, rules }) => mode === "open" && rules.ask.length + rules.deny.length === 0);

/** Whether verdicts depend on where a path really leads. */
export const judgesPaths = (layers: PermissionLayers): boolean =>
  layers.some(
    ({ mode, rules }) =>
      (mode !== "open" && mode !== "bypass") ||
      [...rules.allow, ...rules.deny, ...rules.ask].some(({ pattern }) => pattern?.kind === "target"),
  );

function parsedRules(rules: PermissionPolicy["rules"] = {}): PermissionLayer["rules"] {
  return { allow: parsedList(rules.allow), deny: parsedList(rules.deny), ask: parsedList(rules.ask) };
}

/** Policies are checked when they are given. A rule that can't be read must not be left out: it may be a denial. */
const parsedList = (rules: readonly string[] = []): PermissionRule[] =>
  rules.map((text) => {
    const rule = parsePermissionRule(text);
    if (typeof rule === "string") throw new TypeError(rule);
    return rule;
  });
