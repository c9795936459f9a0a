import { parseSync, Visitor, type Node } from "oxc-parser";
import { placeOf, type SourceFile } from "./source-file.ts";

/** Names of the world outside: the clock, chance, timers, I/O. A pure machine gets what they give as an event. */
const IMPURE = new Set(
  (
    "Date performance crypto process console fetch navigator globalThis global window self WebSocket EventSource " +
    "setTimeout setInterval setImmediate queueMicrotask requestAnimationFrame Temporal Worker BroadcastChannel"
  ).split(" "),
);

/** What XState would start by itself; it does not survive a restore. */
const STARTS = { keys: new Set(["invoke", "after"]), calls: new Set(["spawn", "spawnChild"]) };

const nameOf = (node: Node): string | null => (node.type === "Identifier" ? node.name : null);

/** Every use of the clock, of chance, of I/O or of XState's own effects in src/machines, as `path:line: fault`. */
export const purityFaults = (files: readonly SourceFile[]): readonly string[] =>
  files.filter(({ path }) => /^src\/machines\/.*\.tsx?$/.test(path)).flatMap(faultsOf);

function faultsOf(file: SourceFile): readonly string[] {
  const found = new Map<number, string>();
  // A key and a member's name are words, not uses: visited before the identifier itself, they take it out.
  const words = new Set<number>();
  new Visitor({
    MemberExpression(node) {
      const [object, property] = [nameOf(node.object), nameOf(node.property)];
      if (!node.computed) words.add(node.property.start);
      if (object === "Math" && property === "random") found.set(node.start, "Math.random is chance");
    },
    Property(node) {
      const key = node.key.type === "Literal" ? String(node.key.value) : nameOf(node.key);
      const isConfig = node.value.type === "ObjectExpression" || node.value.type === "ArrayExpression";
      if (!node.computed && !node.shorthand) words.add(node.key.start);
      if (key !== null && isConfig && STARTS.keys.has(key)) found.set(node.start, `${key} starts something by itself`);
    },
    TSPropertySignature: (node) => void (node.computed || words.add(node.key.start)),
    PropertyDefinition: (node) => void (node.computed || words.add(node.key.start)),
    MethodDefinition: (node) => void (node.computed || words.add(node.key.start)),
    TSMethodSignature: (node) => void (node.computed || words.add(node.key.start)),
    Identifier(node) {
      if (words.has(node.start)) return;
      if (IMPURE.has(node.name)) found.set(node.start, `${node.name} is not pure`);
      if (STARTS.calls.has(node.name)) found.set(node.start, `${node.name} starts something by itself`);
    },
  }).visit(parseSync(file.path, file.text).program);
  return [...found].map(([offset, fault]) => `${placeOf(file, offset)}: ${fault}`);
}
