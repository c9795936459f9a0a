import { TeamError } from "../../errors/index.ts";
import { nearestName } from "../../protocol/index.ts";
import { WorkerName } from "../../protocol/work.ts";
import { logLevels, type LogLevel } from "../log.ts";
import type { SettingName, Settings, Setting } from "./setting.ts";

const refuse = (place: string, problem: string): never => {
  throw new TeamError("bad_input", { what: place, problem });
};

const shown = (text: string): string => JSON.stringify(text.slice(0, 80));

const didYouMean = (text: string, known: readonly string[]): string => {
  const near = nearestName(text, known);
  return near === null ? "" : `, did you mean ${shown(near)}?`;
};

const readText = (text: string, place: string): string => (text.trim() === "" ? refuse(place, "it is empty") : text);

const yes = new Set(["1", "true", "yes", "on"]);
const no = new Set(["0", "false", "no", "off", ""]);

const readYesNo = (text: string, place: string): boolean => {
  const word = text.trim().toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : refuse(place, `expected 1 or 0, not ${shown(text)}`);
};

const readBus = (text: string, place: string): string => {
  const [kind = "", ...path] = text.trim().split(":");
  if (kind === "memory" && path.length === 0) return "memory";
  if (kind === "sqlite" && path.length === 0) return "sqlite";
  if (kind === "sqlite" && path.join(":") !== "") return `sqlite:${path.join(":")}`;
  if (/^(?:nats|tls):\/\//.test(text.trim())) return readServers(text.trim(), place);
  if (kind === "nats" && path.length === 0) return "nats";
  if (kind === "nats") return refuse(place, `expected nats or nats://HOST:PORT, not ${shown(text)}`);
  return refuse(place, `there is no bus ${shown(text)}${didYouMean(kind, ["memory", "sqlite", "nats"])}`);
};

const readServers = (text: string, place: string): string =>
  text.includes("@")
    ? refuse(place, "credentials don't belong into the address; set TEAMCHART_NATS_USER and its like, see docs/nats.md")
    : text;

const readSession = (text: string, place: string): string =>
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
    ? text
    : refuse(place, `expected 1 to 64 letters, digits, "-" or "_", not ${shown(text)}`);

const readSequence = (text: string, place: string): number =>
  /^\d{1,15}$/.test(text) ? Number(text) : refuse(place, `expected a sequence number, not ${shown(text)}`);

/** Up to a week. */
const minutesMax = 10_080;

const readMinutes = (text: string, place: string): number => {
  const minutes = /^\d{1,5}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return minutes > 0 && minutes <= minutesMax
    ? minutes
    : refuse(place, `expected minutes, more than 0 and at most ${minutesMax}, not ${shown(text)}`);
};

const readHost = (text: string, place: string): string =>
  /^[A-Za-z0-9.:_-]{1,253}$/.test(text) ? text : refuse(place, `expected a name or an address, not ${shown(text)}`);

/** Where the inspector is served unless it is said otherwise. */
const portDefault = 4455;

const readPort = (text: string, place: string): number =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Number(text)
    : refuse(place, `expected a port from 0 to 65535, not ${shown(text)}`);

const readToken = (text: string, place: string): string =>
  /^[\x21-\x7E]{22,500}$/.test(text)
    ? text
    : refuse(place, "expected 22 to 500 random characters without spaces, as `openssl rand -base64 32` makes them");

const readAgents = (text: string, place: string): readonly string[] => {
  const names = text.split(",").map((name) => name.trim());
  return names.includes("") ? refuse(place, `expected agent types, as in a,b, not ${shown(text)}`) : names;
};

const readWorkerName = (text: string, place: string): string =>
  WorkerName.safeParse(text).success
    ? text
    : refuse(place, `expected 1 to 100 letters, digits, "-", "_" or ".", not ${shown(text)}`);

const readRuns = (text: string, place: string): number =>
  /^\d{1,5}$/.test(text) ? Number(text) : refuse(place, `expected a number of runs, 0 = unlimited, not ${shown(text)}`);

const isLogLevel = (text: string): text is LogLevel => logLevels.some((level) => level === text);

const readLogLevel = (text: string, place: string): LogLevel =>
  isLogLevel(text)
    ? text
    : refuse(place, `expected ${logLevels.join(", ")}, not ${shown(text)}${didYouMean(text, logLevels)}`);

/** How every setting is given, read and explained. */
export const settingTable: { readonly [Name in SettingName]: Setting<Settings[Name]> } = {
  bus: {
    flags: "--bus <bus>",
    variable: "TEAMCHART_BUS",
    help: "where the session lives: sqlite[:PATH], a file (.teamchart/teamchart.db), nats, a server of its own (.teamchart/nats), nats://HOST:PORT, or memory, gone with the process",
    fallback: "sqlite",
    read: readBus,
  },
  session: {
    flags: "--session <id>",
    variable: "TEAMCHART_SESSION",
    help: "name of the session; left out = a new one",
    fallback: null,
    read: readSession,
  },
  model: {
    flags: "--model <provider/name>",
    variable: "TEAMCHART_MODEL",
    help: "model of every agent for which the file names none",
    fallback: null,
    read: readText,
  },
  json: {
    flags: "--json",
    variable: "TEAMCHART_JSON",
    help: "one JSON object a line on stdout",
    fallback: false,
    read: readYesNo,
  },
  record: {
    flags: "--record <file>",
    variable: "TEAMCHART_RECORD",
    help: "write a recording (NDJSON) for `teamchart replay`; of a check, the counterexample",
    fallback: null,
    read: readText,
  },
  out: {
    flags: "--out <dir>",
    variable: "TEAMCHART_OUT",
    help: "folder for what the run leaves behind",
    fallback: null,
    read: readText,
  },
  until: {
    flags: "--until <seq>",
    variable: "TEAMCHART_UNTIL",
    help: "last sequence to replay",
    fallback: null,
    read: readSequence,
  },
  deep: {
    flags: "--deep",
    variable: "TEAMCHART_DEEP",
    help: "explore every pair, every triple and all interventions together, however many states that are",
    fallback: false,
    read: readYesNo,
  },
  minutes: {
    flags: "--minutes <n>",
    variable: "TEAMCHART_MINUTES",
    help: "end the check after this time; left out = 10, with --deep 60",
    fallback: null,
    read: readMinutes,
  },
  coverage: {
    flags: "--coverage",
    variable: "TEAMCHART_COVERAGE",
    help: "name the transitions and states that were not met",
    fallback: false,
    read: readYesNo,
  },
  test: {
    flags: "--test <file>",
    variable: "TEAMCHART_TEST",
    help: "write a counterexample as a test for vitest",
    fallback: null,
    read: readText,
  },
  inspect: {
    flags: "--inspect",
    variable: "TEAMCHART_INSPECT",
    help: "serve the inspector, a page that shows the team live",
    fallback: false,
    read: readYesNo,
  },
  control: {
    flags: "--control",
    variable: "TEAMCHART_CONTROL",
    help: "let the inspector act too: send, answer, cancel, replan, dissolve",
    fallback: false,
    read: readYesNo,
  },
  open: {
    flags: "--open",
    variable: "TEAMCHART_OPEN",
    help: "open the inspector in a browser",
    fallback: false,
    read: readYesNo,
  },
  host: {
    flags: "--host <host>",
    variable: "TEAMCHART_HOST",
    help: "address that the inspector is served at; one that other machines can reach needs --token",
    fallback: "127.0.0.1",
    read: readHost,
  },
  port: {
    flags: "--port <port>",
    variable: "TEAMCHART_PORT",
    help: "its port, 0 = any free one",
    fallback: portDefault,
    read: readPort,
  },
  token: {
    flags: "--token <token>",
    variable: "TEAMCHART_TOKEN",
    help: "token that the inspector needs; left out = a random one. Of a flag, other users of the machine can see it",
    fallback: null,
    read: readToken,
  },
  logLevel: {
    flags: "--log-level <level>",
    variable: "TEAMCHART_LOG_LEVEL",
    help: `what is logged on stderr, one JSON object a line: ${logLevels.join(", ")}`,
    fallback: "warn",
    read: readLogLevel,
  },
  color: {
    flags: "--no-color",
    variable: "TEAMCHART_NO_COLOR",
    help: "plain lines instead of the live view (NO_COLOR does the same)",
    fallback: true,
    read: (text, place) => !readYesNo(text, place),
  },
  printConfig: {
    flags: "--print-config",
    variable: "TEAMCHART_PRINT_CONFIG",
    help: "print every setting and where it came from, and start nothing",
    fallback: false,
    read: readYesNo,
  },
  agents: {
    flags: "--agents <names>",
    variable: "TEAMCHART_AGENTS",
    help: "agent types that it offers, as a,b; left out = those that say runsOn: workers",
    fallback: null,
    read: readAgents,
  },
  config: {
    flags: "--config <module>",
    variable: "TEAMCHART_CONFIG",
    help: "module whose default export is the options of createTeamSystem, or a function that makes them",
    fallback: null,
    read: readText,
  },
  name: {
    flags: "--name <name>",
    variable: "TEAMCHART_NAME",
    help: "name of the worker in every status; left out = machine and process",
    fallback: null,
    read: readWorkerName,
  },
  runs: {
    flags: "--runs <n>",
    variable: "TEAMCHART_RUNS",
    help: "members that it runs at once, 0 = unlimited",
    fallback: 16,
    read: readRuns,
  },
};
