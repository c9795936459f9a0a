import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where servers are unpacked. */
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "teamchart-nats");
/** What the machine itself offers, and the suite of Debian that has the newest. */
const kinds = ["own", "newest"] as const;

/** What a person has to do where there is no nats-server. */
export const noNatsServer =
  "The tests of the NATS bus need a nats-server of 2.9.10 or later, and none is there. Install one (Debian: apt-get install nats-server), or set NATS_SERVER to the path of one.";

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The servers that were found, the machine's own first: what NATS_SERVER names, one in PATH, what was unpacked. */
export function findNatsServers(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const named = environment["NATS_SERVER"];
  const folders = [...(environment["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const installed = folders.map((folder) => join(folder, "nats-server")).find(isExecutable);
  const own = named === undefined || named === "" ? installed : named;
  const unpacked = kinds.map((kind) => join(cache, kind, "usr", "sbin", "nats-server")).filter(isExecutable);
  return own === undefined ? unpacked : [own, ...unpacked.filter((path) => path.includes(`${cache}/newest`))];
}

/**
 * Gets the servers that are not there yet by apt, unpacked and not installed. Says on stderr which it couldn't get: without
 * any the tests fail, without the newest they are run on the machine's own alone.
 */
export async function ensureNatsServers(): Promise<void> {
  for (const kind of kinds) {
    if (kind === "own" && findNatsServers().length > 0) continue;
    if (existsSync(join(cache, kind))) continue;
    try {
      await unpack(kind);
    } catch (fault) {
      const reason = fault instanceof Error ? fault.message.slice(0, 500) : String(fault);
      console.error(kind === "own" ? `${noNatsServer}\n${reason}` : `No newer nats-server could be had: ${reason}`);
    }
  }
}

async function unpack(kind: (typeof kinds)[number]): Promise<void> {
  const folder = join(cache, `${kind}.${process.pid}`);
  const target = join(cache, kind);
  for (const each of ["lists/partial", "cache/archives/partial", "out"])
    mkdirSync(join(folder, each), { recursive: true });
  const places = ["-o", `Dir::State::lists=${folder}/lists`, "-o", `Dir::Cache=${folder}/cache`];
  if (kind === "newest") {
    const sources = join(folder, "newest.sources");
    writeFileSync(sources, newestSources());
    places.push("-o", `Dir::Etc::sourcelist=${sources}`, "-o", "Dir::Etc::sourceparts=-");
  }
  try {
    await run("apt-get", [...places, "update"], { timeout: 180_000 });
    await run("apt-get", [...places, "download", "nats-server"], { cwd: join(folder, "out"), timeout: 180_000 });
    const [file] = readdirSync(join(folder, "out"));
    if (file === undefined) throw new Error("apt-get download brought nothing");
    await run("dpkg", ["-x", join(folder, "out", file), join(folder, "root")], { timeout: 60_000 });
    renameSync(join(folder, "root"), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The machine's own source of Debian with the suite that moves: the first one in either of apt's two formats. */
function newestSources(): string {
  const folder = "/etc/apt/sources.list.d";
  const files = [
    "/etc/apt/sources.list",
    ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []),
  ];
  const texts = files
    .filter((path) => /\.(?:list|sources)$/.test(path) && existsSync(path))
    .map((path) => readFileSync(path, "utf8"));
  for (const text of texts) {
    const stanza = text
      .split(/\n\s*\n/)
      .find((each) => /^Types:.*\bdeb\b/m.test(each) && /^Components:.*\bmain\b/m.test(each));
    if (stanza !== undefined) return `${stanza.replaceAll(/^#.*\n/gm, "").replace(/^Suites:.*$/m, "Suites: sid")}\n`;
    const line = /^deb\s+(?:\[(?<options>[^\]]*)\]\s+)?(?<uri>\S+)\s+\S+\s+(?:.*\s)?main\b/m.exec(text);
    if (line?.groups?.["uri"] === undefined) continue;
    const signedBy = /signed-by=(\S+)/.exec(line.groups["options"] ?? "")?.[1];
    const key = signedBy === undefined ? "" : `Signed-By: ${signedBy}\n`;
    return `Types: deb\nURIs: ${line.groups["uri"]}\nSuites: sid\nComponents: main\n${key}`;
  }
  throw new Error("apt has no source of Debian here");
}
