/** Names that the language and its tools ask any object for. */
const asked: ReadonlySet<string> = new Set(["then", "toJSON", "asymmetricMatch", "nodeType", "$$typeof"]);

/**
 * The same object, which tells when a field is read that it does not have, or that is only `assumed`: how a guard that asks
 * for a payload is told from one that is false.
 */
export function watched<Value extends object>(
  value: Value,
  onMissing: (field: string) => void,
  assumed: readonly string[] = [],
): Value {
  const look = (target: object, field: string | symbol): void => {
    if (typeof field !== "string" || asked.has(field)) return;
    if (!(field in target) || assumed.includes(field)) onMissing(field);
  };
  return new Proxy(value, {
    get(target, field, receiver) {
      look(target, field);
      // Reflect gives `any`.
      return Reflect.get(target, field, receiver) as unknown;
    },
    has(target, field) {
      look(target, field);
      return Reflect.has(target, field);
    },
  });
}
