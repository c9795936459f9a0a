import type { ModelMember, TeamModelOptions } from "../../testing/index.ts";

/** A team that is to be checked. */
export interface CheckedTeam {
  /** What it is called in sentences and lines: its name, or its shape. */
  readonly name: string;
  readonly model: TeamModelOptions;
}

/** A graph in a few characters: `A, B, C<-A+B`. */
export const shapeText = (members: readonly ModelMember[]): string =>
  members
    .map(({ name, dependsOn = [] }) => (dependsOn.length === 0 ? name : `${name}<-${dependsOn.join("+")}`))
    .join(", ");
