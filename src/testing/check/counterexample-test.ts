import type { Problem } from "./judge.ts";
import type { CheckOptions } from "./properties.ts";
import { functionText, keyText, literalText } from "./source-text.ts";
import type { AnyModelOptions } from "./team-model.ts";

/** A vitest case that walks this path and fails for as long as the property is violated on it. */
export function counterexampleTest(
  model: AnyModelOptions,
  options: CheckOptions,
  problem: Problem,
  moves: readonly string[],
): string {
  const properties = propertiesText(options, problem);
  const notes = notesOn(model, options, problem);
  const isPath = problem.kind !== "alwaysPossible";
  const check = isPath ? `checkPath(model, moves, ${properties})` : `checkModel(model, ${properties})`;
  return [
    `import { ${isPath ? "checkPath" : "checkModel"}, teamModel } from "teamchart/testing";`,
    `import { expect, test } from "vitest";`,
    ``,
    ...notes.map((note) => `// ${note}`),
    `test(${JSON.stringify(problem.property)}, () => {`,
    `  const model = teamModel(${modelText(model)});`,
    ...(isPath ? [`  const moves = [${moves.map((move) => `\n    ${JSON.stringify(move)},`).join("")}\n  ];`] : []),
    `  const { violation } = ${check};`,
    // As a message the counterexample is printed whole; of a compared value vitest shows the beginning.
    `  expect(violation, String(violation)).toBeNull();`,
    `});`,
    ``,
  ].join("\n");
}

function notesOn(
  { world, protocol, kernel }: AnyModelOptions,
  { ghost, ...options }: CheckOptions,
  { kind, property }: Problem,
): string[] {
  const notes: string[] = [];
  const written = kind === "guarantee" || kind === "protocol" ? [] : [options[kind]?.[property], ghost?.next];
  if (written.some((each) => each !== undefined && functionText(each) === null))
    notes.push("JavaScript does not show what stands in a bound function: put it back where `unwritten` is thrown.");
  if (kind === "always" || kind === "onStep" || kind === "quiescent" || kind === "alwaysPossible")
    notes.push("The property stands here as it was written: what it uses from around it must be imported.");
  if (world !== undefined) notes.push("Put the moves of your own (`world`) back into the model.");
  if (protocol !== undefined) notes.push("`protocol` is yours: import it.");
  if (kernel !== undefined)
    notes.push("Found with another kernel than the one in production: put it back as `kernel`.");
  return notes;
}

/** The options that can be written down; functions are named in the notes. */
function modelText({ world: _world, kernel: _kernel, protocol, ...plain }: AnyModelOptions): string {
  const written = literalText(plain);
  return protocol === undefined ? written : `{ ...${written}, protocol }`;
}

function propertiesText(options: CheckOptions, { kind, property }: Problem): string {
  if (kind === "guarantee") return "{}";
  // What a protocol throws is found without any property.
  if (kind === "protocol") return "{ guarantees: false }";
  const holds = options[kind]?.[property];
  const parts = [`guarantees: false`, `${kind}: { ${keyText(property)}: ${propertyText(holds)} }`];
  if (options.ghost !== undefined)
    parts.push(`ghost: { initial: ${literalText(options.ghost.initial)}, next: ${propertyText(options.ghost.next)} }`);
  if (kind === "alwaysPossible") {
    const { budgets, interventionsMax, limits } = options;
    // Nothing is said of what can never be made true before everything was explored.
    for (const [name, given] of Object.entries({ budgets, interventionsMax, limits }))
      if (given !== undefined) parts.push(`${name}: ${literalText(given)}`);
  }
  return `{ ${parts.join(", ")} }`;
}

const propertyText = (property: unknown): string =>
  functionText(property) ?? `() => { throw new Error("unwritten: put the function back here"); }`;
