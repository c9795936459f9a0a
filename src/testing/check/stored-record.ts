import { canonicalJson, digestOf } from "../../actors/owner/body-store.ts";
import type { KernelRecord } from "../../machines/index.ts";

/** A model's record as it would be stored: a plan is named by the digest of its content. */
export function storedRecord(record: KernelRecord): KernelRecord {
  const { plan, input } = record;
  const { event } = input;
  if (plan === undefined || !("plan" in event)) return record;
  return { ...record, input: { ...input, event: { ...event, plan: digestOf(canonicalJson(plan)) } } };
}
