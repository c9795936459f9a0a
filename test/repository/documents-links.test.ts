import { expect, test } from "vitest";
import { isGuide } from "./checks/code-blocks.ts";
import { listRepository, readRepository } from "./checks/source-file.ts";
import { pathFaults, testLinkFaults } from "./checks/test-links.ts";

const repository = readRepository();
const guides = repository.filter(isGuide);
/** The documents that say what proves a claim. */
const proving = guides.filter(({ path }) => path === "README.md" || path.startsWith("docs/"));

test("every test that a document names as its proof is there, by its name", () => {
  expect(testLinkFaults(proving, repository)).toEqual([]);
});

test("the check of named tests sees a renamed test and a file that is gone", () => {
  const files = [{ path: "test/a.test.ts", text: 'test("holds: always", () => {});' }];
  const link = (claim: string, file: string) => [{ path: "docs/a.md", text: `[${claim}](../test/${file})` }];
  expect(testLinkFaults(link("holds: always", "a.test.ts"), files)).toEqual([]);
  expect(testLinkFaults(link("`test/a.test.ts`", "a.test.ts"), files)).toEqual([]);
  expect(testLinkFaults(link("holds", "a.test.ts"), files)).toEqual([]);
  expect(testLinkFaults(link("holds often", "a.test.ts"), files)).toEqual([
    'docs/a.md: test/a.test.ts has no test "holds often"',
  ]);
  expect(testLinkFaults(link("holds", "b.test.ts"), files)).toEqual(["docs/a.md: test/b.test.ts does not exist"]);
});

test("every path of the repository that a document names is there", () => {
  expect(pathFaults(guides, listRepository())).toEqual([]);
});

test("the path check sees a path that is gone, and follows files and folders", () => {
  const document = (path: string) => [{ path: "docs/a.md", text: `see \`${path}\`` }];
  const paths = ["src/bus/memory.ts"];
  expect(pathFaults([...document("src/bus/memory.ts"), ...document("src/bus/")], paths)).toEqual([]);
  expect(pathFaults(document("src/bus/nats.ts"), paths)).toEqual(["docs/a.md: src/bus/nats.ts does not exist"]);
});
