import { z } from "zod";
import { parsePermissionRule } from "./permission-rule.ts";

/** Rules of one list. */
const rulesMax = 500;

const Rule = z.string().superRefine((text, context) => {
  const problem = parsePermissionRule(text);
  if (typeof problem === "string") context.addIssue({ code: "custom", message: problem });
});

const Directory = z
  .string()
  .min(1)
  .refine(
    (path) => !path.startsWith("/") && !path.split("/").includes("..") && !path.includes("*"),
    "expected a folder of the workspace, relative to it, without `..` and `*`",
  );

/**
 * What happens to calls that no rule speaks of. `default`: what only reads runs, the rest asks. `accept_edits`: files within
 * the directories may be written too. `explore`: read only, whatever is allowed. `bypass`: everything but what is denied.
 * `deny`: as `default`, and what would ask is denied.
 */
export const PermissionMode = z.enum(["default", "accept_edits", "explore", "bypass", "deny"]);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Rules of each kind; deny wins over ask, and ask over allow. */
export const PermissionRules = z.strictObject({
  allow: z.array(Rule).max(rulesMax).readonly().optional(),
  deny: z.array(Rule).max(rulesMax).readonly().optional(),
  ask: z.array(Rule).max(rulesMax).readonly().optional(),
});
export type PermissionRules = z.infer<typeof PermissionRules>;

/** What a session, or its lead, may do without asking, and what not at all. */
export const PermissionPolicy = z.strictObject({
  /** Left out = that of the policy above; where there is none, `default`. */
  mode: PermissionMode.optional(),
  /** Folders of the workspace within which a mode lets files be read and written; left out = all of it. */
  directories: z.array(Directory).readonly().optional(),
  rules: PermissionRules.optional(),
  /** Who answers what asks; left out = the user. */
  approver: z.enum(["user", "lead"]).optional(),
});
export type PermissionPolicy = z.infer<typeof PermissionPolicy>;

/** The policy of an agent type. It narrows the lead's and can't widen it. */
export const AgentPermissions = z
  .strictObject({
    ...PermissionPolicy.shape,
    /** Members have `mode` instead of the lead's mode; default false. */
    overrideLeadMode: z.boolean().optional(),
    /** The lead's rules are taken along; default true. Its denials hold in any case. */
    extendLeadRules: z.boolean().optional(),
    /** The lead's directories are taken along; default true. */
    extendLeadDirectories: z.boolean().optional(),
  })
  .superRefine(({ mode, overrideLeadMode }, context) => {
    if ((mode === undefined) === (overrideLeadMode !== true)) return;
    context.addIssue({
      code: "custom",
      path: [mode === undefined ? "overrideLeadMode" : "mode"],
      message:
        mode === undefined
          ? "it has nothing to override with; give a mode too"
          : "members have the mode of their lead; add `overrideLeadMode: true` to give them this one",
    });
  });
export type AgentPermissions = z.infer<typeof AgentPermissions>;
