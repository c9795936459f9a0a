import {
  Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  type Document,
  type Node,
} from "yaml";

/** What is wrong with a text, and where: an offset into it, or null. */
export interface YamlFault {
  readonly offset: number | null;
  readonly problem: string;
}

/** A text read as YAML (of which JSON is a part): its value, or what is wrong with it. */
export interface YamlDocument {
  readonly value: unknown;
  readonly faults: readonly YamlFault[];
  /** The offset of the value at `path`, of its key with `ofKey`, or of the nearest value around it. */
  offsetOf(path: readonly PropertyKey[], ofKey: boolean): number | null;
  /** `line:column`, both from 1. */
  placeOf(offset: number): string;
}

/** How often aliases may repeat what their anchors hold, all in all. */
const aliasesMax = 100;
/** Tags that say what a plain value is anyway. All others make something else of it, and this is a file of plain data. */
const plainTags: ReadonlySet<string> = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

const tooDeep = "it is nested too deeply";

/** Reads a text as one YAML 1.2 document of plain data; never throws. */
export function parseYaml(text: string): YamlDocument {
  const lines = new LineCounter();
  const place = { placeOf: (offset: number) => placeIn(lines, offset) };
  const failed = (faults: readonly YamlFault[]): YamlDocument => ({
    value: undefined,
    faults,
    offsetOf: () => null,
    ...place,
  });
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: false, logLevel: "error" });
    // What YAML only warns of, tags that it does not know, would be read as something that was not meant.
    const found = [...document.errors, ...document.warnings];
    const faults = found.map(({ pos, message }) => ({ offset: pos[0], problem: plainWords(message) }));
    if (faults.length > 0) return failed(faults);
    const unwanted = findUnwanted(document);
    if (unwanted.length > 0) return failed(unwanted);
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax });
    return { value, faults: [], offsetOf: (path, ofKey) => findOffset(document, path, ofKey), ...place };
  } catch (error) {
    // The reader gives up on what no honest file has: aliases that explode, nesting that no stack holds.
    const problem = error instanceof RangeError ? tooDeep : plainWords(messageOf(error));
    return failed([{ offset: null, problem }]);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const plainWords = (message: string): string => {
  if (message.startsWith("Excessive alias count")) return "its aliases repeat too much; write the values out";
  if (message.startsWith("Map keys must be unique")) return "this key stands here twice; keep one of them";
  if (message.startsWith("Source contains multiple documents")) return "it holds more than one document; keep one";
  if (/^Maximum call stack/i.test(message)) return tooDeep;
  const [, tag] = /^Unresolved tag: (.*)$/s.exec(message) ?? [];
  if (tag !== undefined) return tagProblem(tag);
  return message.replace(/^[A-Z]/, (first) => first.toLowerCase());
};

const tagProblem = (tag: string): string => `the tag ${tag.slice(0, 80)} is not allowed; write plain values`;

function placeIn(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${Math.max(1, line)}:${Math.max(1, col)}`;
}

const startOf = (node: unknown): number | null =>
  isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? null) : null;

/** Everything that YAML knows and a team file does not: other versions, tags, keys that are no text. Keys become text. */
function findUnwanted(document: Document.Parsed): YamlFault[] {
  const faults: YamlFault[] = [];
  const { yaml } = document.directives;
  if (yaml.explicit === true && yaml.version !== "1.2") {
    faults.push({ offset: 0, problem: `it is YAML ${yaml.version}; remove the line, 1.2 is read` });
  }
  visit(document, {
    Node(_key, node: Node) {
      const tag = node instanceof Alias ? undefined : node.tag;
      if (tag === undefined || plainTags.has(tag)) return;
      faults.push({ offset: startOf(node), problem: tagProblem(tag) });
    },
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const problem = keyProblem(key, seen);
        if (problem !== null) faults.push({ offset: startOf(key) ?? startOf(map), problem });
      }
    },
  });
  return faults;
}

/** What is wrong with a key. One that reads as a number or the like is taken as it is written. */
function keyProblem(key: unknown, seen: Set<string>): string | null {
  if (!(key instanceof Scalar)) return "a key must be text; put it in quotes";
  if (key.value === null && (key.source ?? "") === "") return "a key is missing before the colon";
  if (typeof key.value !== "string") key.value = key.source ?? String(key.value);
  const text = String(key.value);
  if (seen.has(text)) return "this key stands here twice; keep one of them";
  seen.add(text);
  return null;
}

function findOffset(document: Document.Parsed, path: readonly PropertyKey[], ofKey: boolean): number | null {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const [depth, segment] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === String(segment));
      if (pair === undefined) return offset;
      const isLast = depth === path.length - 1;
      offset = (isLast && ofKey ? startOf(pair.key) : (startOf(pair.value) ?? startOf(pair.key))) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(segment)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}
