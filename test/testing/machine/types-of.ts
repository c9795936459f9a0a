/** The types of a machine for `setup`, which never reads the value. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the caller knows the types
export const typesOf = <Types>(): Types => null as never;
