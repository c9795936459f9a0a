import { afterAll, beforeAll, expect, test } from "vitest";
import { codeBlocks, isGuide, type CodeBlock } from "./checks/code-blocks.ts";
import { readRepository } from "./checks/source-file.ts";
import { BlockFolder } from "./checks/typed-blocks.ts";

const blocks = readRepository().filter(isGuide).flatMap(codeBlocks);
const typescript = blocks.filter(({ language }) => language === "ts" || language === "tsx");
const folder = new BlockFolder();
afterAll(() => folder.remove());

/** What a block is said to print: the block after it, when that is marked as output. */
const outputOf = (block: CodeBlock): string => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.path === block.path && next.marks.includes("output") ? next.text : "";
};

const planted = (text: string, ...marks: string[]): CodeBlock => ({
  path: "planted.md",
  line: 10,
  language: "ts",
  marks,
  text,
});
const broken = "const lead = await session.actr;\nexport const count: number = 'one';\n";

let faults: readonly string[] = [];

beforeAll(async () => {
  // All at once, with two planted ones: the compiler takes longer to start than to check.
  faults = await folder.typeFaults([...typescript, planted("export {};\n"), planted(broken, "given", "session")]);
}, 60_000);

test("every TypeScript block of a document compiles as it stands", () => {
  expect(typescript.length).toBeGreaterThan(10);
  expect(faults.filter((fault) => !fault.startsWith("planted.md"))).toEqual([]);
});

test("the compiler's word against a block names its place in the document", () => {
  expect(faults.filter((fault) => fault.startsWith("planted.md"))).toEqual([
    expect.stringMatching(/^planted\.md:10: TS2551: .*'actr'/),
    expect.stringMatching(/^planted\.md:11: TS2322: /),
  ]);
});

test.for(typescript.filter(({ marks }) => marks.includes("run")))(
  "$path:$line runs to its end and prints what the document says",
  async (each) => {
    expect(await folder.run(each)).toBe(outputOf(each));
  },
);

test("a block that fails, or warns, does not pass as one that runs", async () => {
  await expect(folder.run(planted("throw new Error('broken');\n"))).rejects.toThrow("broken");
  await expect(folder.run(planted("console.error('odd');\n"))).rejects.toThrow("planted.md:10: odd");
});

test("blocks are found with their language, marks and place", () => {
  const text = "# A\n\n```ts given session, team\nconst a = 1;\n```\n\n```text output\n1\n```\n";
  expect(codeBlocks({ path: "docs/a.md", text })).toEqual([
    { path: "docs/a.md", line: 4, language: "ts", marks: ["given", "session", "team"], text: "const a = 1;\n" },
    { path: "docs/a.md", line: 8, language: "text", marks: ["output"], text: "1\n" },
  ]);
});
