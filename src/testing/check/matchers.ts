import { describeAll } from "../../machines/index.ts";
import { badInput, isFields, kindOf } from "../fields.ts";
import type { MachineCheck } from "../machine/machine-check-result.ts";
import type { CheckResult } from "./check-result.ts";

/** What a matcher says, in the form that `expect.extend` of vitest and jest takes. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * `expect(checkModel(...)).toHold()`, and the same for `checkMachine(...)`: everything was explored and nothing is wrong. A
 * counterexample or the findings are printed; a search that was cut short, or only walks, is a failure that says so.
 */
function toHold(result: CheckResult | MachineCheck): Matched {
  assertChecked(result, "verdict", "toHold");
  return { pass: result.verdict === "holds", message: () => result.toString() };
}

/** Refuses what no check gave, such as a model: that it does not hold would say nothing. */
function assertChecked(result: unknown, field: string, matcher: string): void {
  if (isFields(result) && field in result) return;
  throw badInput(`expect(...).${matcher}()`, `give what checkModel or checkMachine gives, not ${kindOf(result)}`);
}

/**
 * `expect(checkModel(...)).toCover()`, and the same for `checkMachine(...)`: every transition was taken, but for those that
 * `allow` names; with `machine`, every one of the machine of this id, such as a protocol of one's own.
 */
function toCover(
  result: { readonly coverage: Pick<CheckResult["coverage"], "uncovered"> & Partial<CheckResult["coverage"]> },
  allow: Readonly<Record<string, string>> = {},
  machine: string | null = null,
): Matched {
  assertChecked(result, "coverage", "toCover");
  const { coverage } = result;
  const known = [...Object.values(describeAll()), ...(coverage.own ?? [])];
  const meant = known.find(({ id }) => id === machine);
  if (machine !== null && meant === undefined)
    throw badInput("machine", `no machine is called "${machine}"; there are ${known.map(({ id }) => id).join(", ")}`);
  const isMeant = (id: string): boolean => meant === undefined || meant.transitions.some((each) => each.id === id);
  const missing = coverage.uncovered.filter(({ id }) => isMeant(id) && !Object.hasOwn(allow, id));
  const lines = missing.map(
    ({ id, guard, targets }) => `${id}${guard === null ? "" : ` [${guard}]`} -> ${targets.join(", ")}`,
  );
  return {
    pass: missing.length === 0,
    message: () => (missing.length === 0 ? "every transition was taken" : `never taken:\n${lines.join("\n")}`),
  };
}

/** Matchers to be registered once: `expect.extend(checkMatchers)`. See `CheckMatchers` for their types. */
export const checkMatchers = { toHold, toCover };

/**
 * Types of the matchers. In a setup file of vitest:
 *
 * ```ts
 * import { checkMatchers, type CheckMatchers } from "teamchart/testing";
 * import { expect } from "vitest";
 * expect.extend(checkMatchers);
 * declare module "vitest" {
 *   interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends CheckMatchers<R> {}
 * }
 * ```
 */
export interface CheckMatchers<Result = void> {
  /** Everything was explored and nothing is wrong. */
  toHold(): Result;
  /**
   * Every transition was taken, but for those that `allow` names, each with its reason. With `machine`, those of the machine
   * of this id alone: `toCover({}, "publication")`.
   */
  toCover(allow?: Readonly<Record<string, string>>, machine?: string): Result;
}
