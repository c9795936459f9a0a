/** The names of the agent type of members that name none: the built-in one, and the one that takes its place. */
export const defaultAgentTypes: ReadonlySet<string> = new Set(["general", "default"]);

/** Whether a name means the type of members that name none. Which of the two it is called says whose it is. */
export const isDefaultAgentType = (name: string): boolean => defaultAgentTypes.has(name);

/**
 * The agent type that a name stands for. A system has either the built-in `general` or a `default` of its own, and either
 * name means the one that it has.
 */
export function findAgentType<Type extends { readonly name: string }>(
  types: readonly Type[],
  name: string,
): Type | undefined {
  const exact = types.find((type) => type.name === name);
  return exact ?? (isDefaultAgentType(name) ? types.find((type) => isDefaultAgentType(type.name)) : undefined);
}
