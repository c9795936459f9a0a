import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderCharts } from "../../scripts/charts-doc/render-charts.ts";
import { describeMachine, leadMachine, memberMachine, sessionMachine, teamMachine } from "../../src/machines/index.ts";
import { InputEvent } from "../../src/protocol/input.ts";
import { ROOT } from "./checks/source-file.ts";

const written = readFileSync(join(ROOT, "docs/protocol.md"), "utf8");
/** The document without its charts, which name every event. */
const prose = written.replaceAll(/```mermaid.*?```/gs, "");
/** What stands under the headline of a machine. */
const chapter = (name: string): string => {
  const [, text = ""] = new RegExp(`^## The ${name}$(.*?)(?=^## |(?![^]))`, "ms").exec(prose) ?? [];
  return text;
};

test("the charts are those of the machines; `node scripts/charts-doc.ts` brings them up to date", () => {
  expect(renderCharts(written)).toBe(written);
});

test("a stale chart is drawn anew, and a document without one is refused", () => {
  const stale = written.replace("[*] --> unopened", "[*] --> closed");
  expect(stale).not.toBe(written);
  expect(renderCharts(stale)).toBe(written);
  expect(() => renderCharts(written.replace("<!-- chart lead -->", ""))).toThrow("no chart of lead");
  expect(() => renderCharts(written.replace("<!-- chart lead -->", "<!-- chart lad -->"))).toThrow('machine "lad"');
});

test.each([sessionMachine, teamMachine, leadMachine, memberMachine].map(describeMachine))(
  "every event of the $id is explained in its chapter",
  ({ id, transitions }) => {
    const events = [...new Set(transitions.flatMap(({ event }) => event ?? []))];
    expect(events.filter((event) => !chapter(id).includes(`\`${event}\``))).toEqual([]);
  },
);

test("every kind of input is explained", () => {
  const types = InputEvent.options.map(({ shape }) => shape.type.value);
  expect(types.filter((type) => !prose.includes(`\`${type}\``))).toEqual([]);
});
