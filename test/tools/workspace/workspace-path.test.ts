import { expect, test } from "vitest";
import { parseWorkspacePath } from "../../../src/tools/workspace/workspace-path.ts";

const roots = ["/work/root", "/alias/root"];
const parse = (path: string, mayCreate = false) => parseWorkspacePath(path, { roots, mayCreate });

test.each([
  ["a/b.txt", ["a", "b.txt"]],
  ["./a//b/", ["a", "b"]],
  ["a/../b", ["b"]],
  [".", []],
  ["/work/root", []],
  ["/work/root/a", ["a"]],
  ["/alias/root/a", ["a"]],
  ["/work/root/../root2/../root/a", null],
  ["日本語/ねこ.md", ["日本語", "ねこ.md"]],
  ["100%.txt", ["100%.txt"]],
  ["a b/..c", ["a b", "..c"]],
  ["\u{1f468}\u{200d}\u{1f469}.txt", ["\u{1f468}\u{200d}\u{1f469}.txt"]],
])("the path %j means the names %j", (path, names) => {
  if (names === null) expect(() => parse(path)).toThrow(expect.objectContaining({ code: "workspace_escape" }));
  else expect(parse(path).names).toEqual(names);
});

test.each(["..", "../root", "a/../../b", "/etc/passwd", "/work", "/work/rootless", "/work/root/../x", "//work/root"])(
  "%j leads out and is refused as workspace_escape",
  (path) => {
    expect(() => parse(path)).toThrow(expect.objectContaining({ code: "workspace_escape" }));
  },
);

test.each([
  ["nothing", ""],
  ["a NUL byte", "a\0b"],
  ["a line break", "a\nb"],
  ["a bidirectional override", "a\u{202e}txt.exe"],
  ["a backslash", "..\\x"],
  ["half a character", "a\ud800"],
  ["percent-encoded dots", "%2e%2e/x"],
  ["percent-encoded dots, twice", "%252E%252e/x"],
  ["a percent-encoded slash", "..%2fx"],
  ["a percent-encoded NUL", "a%00"],
  ["full-width dots", "\u{ff0e}\u{ff0e}/x"],
  ["a two dot leader", "\u{2025}/x"],
  ["one dot leaders", "\u{2024}\u{2024}/x"],
  ["dots around a zero-width space", ".\u{200b}./x"],
  ["a full-width slash", "..\u{ff0f}x"],
  ["a division slash", "..\u{2215}x"],
  ["a full-width backslash", "..\u{ff3c}x"],
  ["a drive letter", "C:/x"],
  ["a drive letter of a network path", "c:x"],
  ["a home folder", "~/x"],
  ["a name of 256 bytes", "n".repeat(256)],
  ["a path of 4,097 bytes", `${"n/".repeat(2_048)}n`],
  ["129 names", Array.from({ length: 129 }, () => "n").join("/")],
])("a path with %s is refused as bad_input (S17)", (_what, path) => {
  expect(() => parse(path)).toThrow(expect.objectContaining({ code: "bad_input" }));
});

test("a name of 255 bytes and a path of 128 names are accepted", () => {
  expect(parse("n".repeat(255)).names).toHaveLength(1);
  expect(parse(Array.from({ length: 128 }, () => "n").join("/")).names).toHaveLength(128);
});

test.each([
  "CON",
  "con.txt",
  "a/NUL",
  "aux.c",
  "lpt1.tar.gz",
  "COM\u{b9}",
  "\u{ff23}on",
  "dot.",
  "space ",
  "...",
  "a./b",
  "a/",
])("%j can be read where it exists, but nothing is created under it", (path) => {
  expect(parse(path).given).toBe(path);
  expect(() => parse(path, true)).toThrow(expect.objectContaining({ code: "bad_input" }));
});

test.each(["console.ts", "auxiliary.c", "null.ts", "com10", "a.b", ".gitignore"])("%j may be created", (path) => {
  expect(parse(path, true).names).toEqual([path]);
});

test("a refusal shows at most 200 characters of the path", () => {
  const refused = () => parse("x".repeat(100_000));
  expect(refused).toThrow(/x{200}\.\.\./u);
  expect(refused).not.toThrow(/x{201}/u);
});
