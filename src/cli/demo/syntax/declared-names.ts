import type { Node } from "./node.ts";

/** A name that a pattern declares, and the properties it is taken from; null where a rest or a computed key hides them. */
export interface DeclaredName {
  readonly name: string;
  readonly identifier: Node;
  readonly path: readonly string[] | null;
}

const keyOf = (key: Node, computed: boolean): string | null => {
  if (key.type === "Literal") return String(key.value);
  return key.type === "Identifier" && !computed ? key.name : null;
};

/** Every name that a binding pattern or a parameter declares, in source order. */
export const declaredNames = (pattern: Node | null, path: readonly string[] | null = []): DeclaredName[] => {
  switch (pattern?.type) {
    case "Identifier":
      return [{ name: pattern.name, identifier: pattern, path }];
    case "AssignmentPattern":
      return declaredNames(pattern.left, path);
    case "TSParameterProperty":
      return declaredNames(pattern.parameter, path);
    case "RestElement":
      return declaredNames(pattern.argument, null);
    case "ArrayPattern":
      return pattern.elements.flatMap((element, i) => declaredNames(element, path && [...path, String(i)]));
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => {
        if (property.type === "RestElement") return declaredNames(property.argument, null);
        const key = keyOf(property.key, property.computed);
        return declaredNames(property.value, path && key !== null ? [...path, key] : null);
      });
    default:
      return [];
  }
};
