import { stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { createTeamSystem, TeamError } from "../../index.ts";
import { createService } from "../../service/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { openBus } from "../open-bus.ts";
import { inspectorIfAsked } from "../inspect/serve-inspector.ts";
import { printable } from "../printable.ts";
import { hostSession } from "../run/host-session.ts";
import { makeOutFolder } from "../run/out-folder.ts";
import type { RunDemo } from "./demo-options.ts";
import { openProject, type Project } from "./project.ts";
import { readProject } from "./read-project.ts";
import type { ReviewedFinding } from "./report/combine-findings.ts";
import { terminalSummary } from "./report/terminal-summary.ts";
import { demoTeam } from "./team/demo-team.ts";
import { reportPath } from "./team/reporter.ts";
import { warnInto } from "../log.ts";

/** Files of the project that are read, and the size of the largest. Whatever is left out is said in the report. */
const readLimits = { filesMax: 5_000, fileBytesMax: 1024 * 1024 };

const noModel =
  "No language model was used: the reviewers are functions that parse the code, and the lead follows a script. " +
  "To let a model lead, name one in a team file: teamchart run FILE --model anthropic/NAME (or ollama/NAME); see docs/team-file.md.";

/** The demo: a team of reviewers on the files of a folder, which is only read. */
export const runDemo: RunDemo = async (options) => {
  const { dir, out, session, settings, host, output, log } = options;
  await checkFolder(dir);
  await makeOutFolder(out);
  let found: readonly ReviewedFinding[] = [];
  const title = basename(resolve(dir));
  const project = once(() => readAll(dir, out));
  const team = demoTeam({
    title,
    project,
    onReport: (findings) => {
      found = findings;
    },
  });
  const onFault = warnInto(log);
  await using place = await openBus(settings.bus, { cwd: host.cwd(), env: host.env, onFault });
  await using system = await createTeamSystem({
    ...(place.bus === null ? {} : { bus: place.bus }),
    agents: team.agents,
    script: team.script,
    workspace: out,
    environment: {},
    onFault,
  });
  const tell = (text: string): void => (settings.json ? output.tell(text) : output.print(`${text}\n`));
  tell(`session ${session}: ${printable(title)} is reviewed by a team of functions; scripted model, no LLM`);
  await using inspector = await inspectorIfAsked((served) => createService(system, served), options);
  const { exitCode } = await hostSession(
    {
      system,
      id: session,
      lead: { instructions: "You lead a code review." },
      begin: (opened) => opened.send(team.prompt),
      models: "function agents, scripted lead, no LLM",
    },
    { host, output, log, settings },
  );
  tell(noModel);
  if (exitCode !== exitCodes.done) return exitCode;
  const { stdout } = host;
  const lines = terminalSummary({
    findings: found,
    files: (await project()).files.length,
    report: join(relative(host.cwd(), out) || ".", reportPath),
    columns: stdout.isTTY ? stdout.columns : null,
  });
  for (const line of lines) tell(line);
  await inspector.stay();
  return exitCode;
};

async function checkFolder(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => null);
  if (found?.isDirectory() === true) return;
  const problem = found === null ? "there is no such folder" : "it is no folder";
  throw new TeamError("bad_input", { what: `DIR ${printable(dir)}`, problem });
}

/** Reads and parses the project; the folder that the report goes to is no part of it. */
async function readAll(dir: string, out: string): Promise<Project> {
  const { files, skipped } = await readProject(dir, readLimits);
  const inside = relative(dir, out).replaceAll("\\", "/");
  const isOwn = (path: string): boolean => !inside.startsWith("..") && inside !== "" && path.startsWith(`${inside}/`);
  return openProject(
    files.filter(({ path }) => !isOwn(path)),
    { skipped },
  );
}

/** Calls `make` once, whoever asks first. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => (made ??= make());
}
