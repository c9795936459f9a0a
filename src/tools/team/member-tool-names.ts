import { teamToolTraits } from "./team-tool-traits.ts";

const taken: ReadonlySet<string> = new Set(Object.keys(teamToolTraits));

/**
 * What a member gets of the tools that its agent type lists, each once and in that order: never a tool of the lead, and
 * none that every member has anyway.
 */
export const memberToolNames = (listed: readonly string[]): string[] =>
  [...new Set(listed)].filter((name) => !taken.has(name));
