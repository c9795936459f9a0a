import { expect, test } from "vitest";
import { parseTeamFile } from "../../src/cli/parse-team-file.ts";
import { Limits } from "../../src/protocol/limits.ts";
import { ErrorLine, EventLine, ResultLine } from "../../src/protocol/recording.ts";
import { FileAgent, FileLead, TeamFile } from "../../src/protocol/team-file.ts";
import { MemberSpec, TeamSpec } from "../../src/protocol/spec.ts";
import { codeBlocks, isGuide } from "./checks/code-blocks.ts";
import { readRepository } from "./checks/source-file.ts";

const guides = readRepository().filter(isGuide);
const blocks = guides.flatMap(codeBlocks);
const textOf = (path: string): string => guides.find((guide) => guide.path === path)?.text ?? "";
const yaml = blocks.filter(({ language }) => language === "yaml");

test.for(yaml)("$path:$line is a team file", ({ text, path }) => {
  expect(parseTeamFile(text, path)).toMatchObject({});
});

test("the documents show every key of a team file in a file that is read", () => {
  const keys = [TeamFile, FileAgent, FileLead, TeamSpec, MemberSpec].flatMap(({ shape }) => Object.keys(shape));
  const shown = yaml.map(({ text }) => text).join("\n");
  expect(yaml.length).toBeGreaterThan(2);
  expect([...new Set(keys)].filter((key) => !new RegExp(`\\b${key}:`).test(shown))).toEqual([]);
});

const lines = blocks.filter(({ language }) => language === "jsonl").flatMap(({ text }) => text.trim().split("\n"));

test.each([
  ["event", EventLine],
  ["result", ResultLine],
  ["error", ErrorLine],
])("every %s line of the documents is one", (type, schema) => {
  const objects = lines.map((line) => JSON.parse(line) as { type: string }).filter((line) => line.type === type);
  expect(objects.length).toBeGreaterThan(0);
  for (const object of objects) expect(schema.parse(object)).toEqual(object);
});

test("every field of an event line is explained", () => {
  const explained = textOf("docs/team-file.md").split("## `--json` lines")[1] ?? "";
  const fields = Object.keys(EventLine.shape).filter((field) => field !== "type");
  expect(fields.filter((field) => !explained.includes(`\`${field}\``))).toEqual([]);
});

test("the limits that are told are those that there are, with their defaults", () => {
  const defaults: Record<string, number> = Limits.parse({});
  const [, table = ""] = textOf("docs/embed.md").split("## Limits");
  const rows = [...table.matchAll(/^\| (`.*?) +\| (.*?) +\|/gm)];
  const told = rows.flatMap(([, names = "", values = ""]) => {
    const each = values.split(", ").length === names.split(", ").length ? values.split(", ") : [values];
    return names.split(", ").map((name, index) => [name.replaceAll("`", ""), amountOf(each[index] ?? "")] as const);
  });
  expect(told.map(([name]) => name).toSorted()).toEqual(Object.keys(defaults).toSorted());
  expect(told.filter(([name, value]) => defaults[name] !== value)).toEqual([]);
});

const units: Readonly<Record<string, number>> = { "": 1, KiB: 1024, MiB: 1024 ** 2, s: 1_000, min: 60_000 };

/** `8 MiB` or `50,000`, as a number of bytes, milliseconds or things. */
function amountOf(text: string): number {
  const [, digits = "", unit = ""] = /^([\d,]+)(?: (KiB|MiB|s|min))?/.exec(text) ?? [];
  return Number(digits.replaceAll(",", "")) * (units[unit] ?? Number.NaN);
}
