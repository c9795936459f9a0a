import { expect, test } from "vitest";
import { resolveSettings, type Flags } from "../../../src/cli/settings/resolve-settings.ts";
import type { SettingName } from "../../../src/cli/settings/setting.ts";
import { settingTable } from "../../../src/cli/settings/setting-table.ts";

// The keys of the table are the names, by its type.
const all = Object.keys(settingTable) as SettingName[];

test.each<[SettingName, Flags, Record<string, string>, unknown, string]>([
  ["model", {}, {}, null, "default"],
  ["model", {}, { TEAMCHART_MODEL: "a/env" }, "a/env", "TEAMCHART_MODEL"],
  ["model", { model: "a/flag" }, { TEAMCHART_MODEL: "a/env" }, "a/flag", "--model"],
  ["model", {}, { TEAMCHART_MODEL: "  " }, null, "default"],
  ["json", {}, {}, false, "default"],
  ["json", {}, { TEAMCHART_JSON: "1" }, true, "TEAMCHART_JSON"],
  ["json", {}, { TEAMCHART_JSON: "off" }, false, "TEAMCHART_JSON"],
  ["json", { json: true }, { TEAMCHART_JSON: "0" }, true, "--json"],
  ["color", { color: true }, {}, true, "default"],
  ["color", { color: true }, { NO_COLOR: "1" }, false, "NO_COLOR"],
  ["color", { color: true }, { TEAMCHART_NO_COLOR: "0", NO_COLOR: "1" }, true, "TEAMCHART_NO_COLOR"],
  ["color", { color: false }, { TEAMCHART_NO_COLOR: "0" }, false, "--no-color"],
  ["until", { until: "12" }, { TEAMCHART_UNTIL: "3" }, 12, "--until"],
  ["logLevel", {}, { TEAMCHART_LOG_LEVEL: "debug" }, "debug", "TEAMCHART_LOG_LEVEL"],
  ["bus", {}, { TEAMCHART_BUS: "memory" }, "memory", "TEAMCHART_BUS"],
  ["bus", { bus: "sqlite:C:\\x.db" }, {}, "sqlite:C:\\x.db", "--bus"],
  ["bus", {}, {}, "sqlite", "default"],
  ["bus", {}, { TEAMCHART_BUS: "nats" }, "nats", "TEAMCHART_BUS"],
  ["session", { session: "a-1" }, {}, "a-1", "--session"],
  ["deep", {}, { TEAMCHART_DEEP: "yes" }, true, "TEAMCHART_DEEP"],
  ["minutes", { minutes: "0.5" }, { TEAMCHART_MINUTES: "3" }, 0.5, "--minutes"],
  ["minutes", {}, { TEAMCHART_MINUTES: "3" }, 3, "TEAMCHART_MINUTES"],
  ["coverage", { coverage: true }, {}, true, "--coverage"],
  ["test", {}, { TEAMCHART_TEST: "t.ts" }, "t.ts", "TEAMCHART_TEST"],
])("%s with flags %j and variables %j is %j, from %s", (name, flags, environment, value, source) => {
  const { values, sources } = resolveSettings(all, flags, environment);
  expect([values[name], sources[name]]).toEqual([value, source]);
});

test("a variable of a setting that the command does not have is not looked at", () => {
  expect(resolveSettings(["json"], {}, { TEAMCHART_BUS: "nonsense" }).values.bus).toBe("sqlite");
});

test.each<[Flags, Record<string, string>, string, string]>([
  [{ bus: "sqlite:" }, {}, "bad_input", "there is no bus"],
  [{ bus: "sqlte:x.db" }, {}, "bad_input", 'did you mean "sqlite"?'],
  [{ bus: "nats://me:secret@127.0.0.1:4222" }, {}, "bad_input", "credentials don't belong into the address"],
  [{ bus: "nats:4222" }, {}, "bad_input", "expected nats or nats://HOST:PORT"],
  [{ bus: "memry" }, {}, "bad_input", 'did you mean "memory"?'],
  [{ logLevel: "wran" }, {}, "bad_input", 'did you mean "warn"?'],
  [{ until: "-1" }, {}, "bad_input", "--until: expected a sequence number"],
  [{ until: "1.5" }, {}, "bad_input", "--until: expected a sequence number"],
  [{ session: "a b" }, {}, "bad_input", "--session: expected 1 to 64 letters"],
  [{ session: "../up" }, {}, "bad_input", "--session: expected 1 to 64 letters"],
  [{ model: "" }, {}, "bad_input", "--model: it is empty"],
  [{}, { TEAMCHART_JSON: "maybe" }, "bad_input", 'TEAMCHART_JSON: expected 1 or 0, not "maybe"'],
])("flags %j and variables %j are refused", (flags, environment, code, text) => {
  expect(() => resolveSettings(all, flags, environment)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(text) }),
  );
});

test("every setting has a variable of its own that begins alike, and a flag of its own", () => {
  const entries = Object.values(settingTable);
  expect(new Set(entries.map(({ variable }) => variable)).size).toBe(entries.length);
  expect(new Set(entries.map(({ flags }) => flags)).size).toBe(entries.length);
  for (const { variable } of entries) expect(variable).toMatch(/^TEAMCHART_[A-Z_]+$/);
});
