/** What NAME.expect.json says of a run of NAME.team.yaml. */
export interface Expectation {
  readonly exit: number;
  readonly error?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  /** First `[A, status]` before first `[B, status]`. */
  readonly order?: readonly (readonly [string, string, string, string])[];
  /** Members that must not be there. */
  readonly absent?: readonly string[];
  /** `[actor, status]` that must never be. */
  readonly never?: readonly (readonly [string, string])[];
}

type Line = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Line =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every way in which `actual` falls short: of an object only the named keys count; `{min,max}` is a range, `{matches}` a pattern. */
function shortfalls(expected: unknown, actual: unknown, path: string): string[] {
  if (!isObject(expected)) {
    const [wanted, got] = [JSON.stringify(expected), JSON.stringify(actual)];
    return wanted === got ? [] : [`${path}: expected ${wanted}, got ${got}`];
  }
  if ("min" in expected || "max" in expected) {
    const { min = -Infinity, max = Infinity } = expected as { min?: number; max?: number };
    const isWithin = typeof actual === "number" && actual >= min && actual <= max;
    return isWithin ? [] : [`${path}: ${JSON.stringify(actual)} is not within ${JSON.stringify(expected)}`];
  }
  if ("matches" in expected) {
    const isMatch = new RegExp(String(expected["matches"]), "u").test(String(actual));
    return isMatch ? [] : [`${path}: ${JSON.stringify(actual)} does not match ${String(expected["matches"])}`];
  }
  return Object.entries(expected).flatMap(([key, value]) =>
    shortfalls(value, isObject(actual) ? actual[key] : undefined, `${path}.${key}`),
  );
}

/** Every way in which the lines of a run fall short of what is expected. */
export function caseFaults(expected: Expectation, lines: readonly Line[]): string[] {
  const last = lines.at(-1) ?? {};
  const members = Array.isArray(last["members"]) ? (last["members"] as Line[]) : [];
  const { members: wanted, ...rest } = expected.result ?? {};
  const firstAt = (actor: string, status: string) =>
    lines.findIndex((line) => line["type"] === "event" && line["actor"] === actor && line["status"] === status);
  const error = lines.find(({ type }) => type === "error");
  return [
    ...(expected.error === undefined ? [] : shortfalls(expected.error, error, "error")),
    ...shortfalls(rest, last, "result"),
    ...Object.entries(isObject(wanted) ? wanted : {}).flatMap(([name, member]) =>
      shortfalls(
        member,
        members.find((each) => each["name"] === name),
        name,
      ),
    ),
    ...(expected.order ?? []).flatMap(([a, statusA, b, statusB]) => {
      const [first, second] = [firstAt(a, statusA), firstAt(b, statusB)];
      const isInOrder = first >= 0 && second >= 0 && first < second;
      return isInOrder ? [] : [`${a} ${statusA} (line ${first}) is not before ${b} ${statusB} (line ${second})`];
    }),
    ...(expected.absent ?? [])
      .filter((name) => members.some((each) => each["name"] === name))
      .map((name) => `${name} is there`),
    ...(expected.never ?? [])
      .filter(([actor, status]) => firstAt(actor, status) >= 0)
      .map(([actor, status]) => `${actor} was ${status}`),
  ];
}
