import { refusal, type ErrorCode, type ErrorData, type Refusal } from "../../errors/index.ts";
import { nearestName } from "../../protocol/names.ts";

/** Faults of one plan that are reported; more would help nobody. */
const faultsMax = 100;
/** Faults that look for the name that was meant: that costs an edit distance per known name. */
const nearestMax = 5;
/** How many names an error lists. */
const listedMax = 50;
/** How many names are compared for the nearest one. */
const comparedMax = 1_000;

/** A member that is named alone and that is nobody. */
export function unknownMember(name: string, known: readonly string[]): readonly Refusal[] {
  const faults = new Faults();
  faults.unknownMember(name, known);
  return faults.list;
}

/** What is wrong with one plan. Bounded in number and in cost, whatever the plan holds. */
export class Faults {
  readonly list: Refusal[] = [];
  #nearest = 0;

  /** True when no further fault would be kept: whoever still looks for some may stop. */
  get full(): boolean {
    return this.list.length >= faultsMax;
  }

  add<Code extends ErrorCode>(code: Code, data: ErrorData<Code>): void {
    this.keep(refusal(code, data));
  }

  keep(fault: Refusal): void {
    if (!this.full) this.list.push(fault);
  }

  /** A name in a member's dependsOn that is nobody. */
  unknownDependency(member: string, dependency: string, known: readonly string[]): void {
    if (this.full) return;
    this.add("unknown_dependency", {
      member: member.slice(0, 80),
      dependency: dependency.slice(0, 80),
      ...this.#suggest(dependency, known),
    });
  }

  /** A number in a task's dependsOn that is no task of a board with so many. */
  unknownTaskDependency(task: string, dependency: string, count: number): void {
    const known = Array.from({ length: Math.min(count, listedMax) }, (_, index) => `#${index + 1}`);
    this.add("unknown_dependency", { member: task, dependency, of: "tasks", known, nearest: null });
  }

  /** A member that is named and that is nobody. */
  unknownMember(name: string, known: readonly string[]): void {
    if (this.full) return;
    this.add("unknown_member", { name: name.slice(0, 80), ...this.#suggest(name, known) });
  }

  /** A member of a type that there is not. */
  unknownAgentType(member: string, agentType: string, known: readonly string[]): void {
    if (this.full) return;
    this.add("unknown_agent_type", {
      member: member.slice(0, 80),
      agentType: agentType.slice(0, 80),
      ...this.#suggest(agentType, known),
    });
  }

  #suggest(name: string, known: readonly string[]): { known: readonly string[]; nearest: string | null } {
    const nearest = this.#nearest++ < nearestMax ? nearestName(name, known.slice(0, comparedMax)) : null;
    return { known: known.slice(0, listedMax), nearest };
  }
}
