import type { MemberSpecInput, TeamSpecInput } from "../../protocol/spec.ts";

/** A member whose upstreams are checked by the compiler when the team is written out literally. */
type NamedMember<Name extends string> = Omit<MemberSpecInput, "name" | "dependsOn"> & {
  readonly name: Name;
  readonly dependsOn?: readonly NoInfer<Name>[];
};

/** A team as the API takes it: a `dependsOn` that names nobody is a compile error for literal teams. */
export type TeamDeclaration<Name extends string> = Omit<TeamSpecInput, "members"> & {
  readonly members: readonly NamedMember<Name>[];
};
