import type { Inherited } from "../../protocol/work.ts";
import type { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";

/** The same without the keys that have no value. */
type Said<Keys> = { [Key in keyof Keys]: Exclude<Keys[Key], undefined> };

const said = <Keys extends object>(keys: Keys): Said<Keys> =>
  // Keys without a value are left out, and no type of a key that may be left out says more than that.
  Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined)) as Said<Keys>;

/** A model by its name; one that is an object stays where it is. */
const nameOf = (model: HostedLead["model"]): string | undefined => (typeof model === "string" ? model : undefined);

/** What members take over from a lead and its system, as far as it can travel. */
export function inheritedOf(lead: HostedLead | null, permissions: PermissionPolicy | undefined): Inherited {
  if (lead === null) return said({ lead, permissions });
  const { model, fallbackModel, effort, contextTokens, permissions: own } = lead;
  const names = { model: nameOf(model), fallbackModel: nameOf(fallbackModel) };
  return said({ lead: said({ ...names, effort, contextTokens, permissions: own }), permissions });
}

/** The lead as a worker knows it; null = there is none. */
export const leadFrom = ({ lead }: Inherited): HostedLead | null => (lead === null ? null : said(lead));
