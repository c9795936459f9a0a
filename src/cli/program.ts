import { Argument, Command, CommanderError, Option } from "commander";
import { readVariable } from "../actors/models/model-keys.ts";
import { TeamError } from "../errors/index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import type { Host } from "./host.ts";
import { createLog } from "./log.ts";
import { openOutput, type Output } from "./output.ts";
import { packageFacts } from "./package-facts.ts";
import { reportError } from "./report-error.ts";
import { commandSettings, type CommandName } from "./settings/command-settings.ts";
import { resolveSettings } from "./settings/resolve-settings.ts";
import { settingTable } from "./settings/setting-table.ts";
import type { SettingName } from "./settings/setting.ts";

/** A command: what it is called with, and what it does. */
interface CommandEntry {
  readonly help: string;
  readonly argument: Argument | null;
  readonly run: (argument: string | null, context: CommandContext) => Promise<ExitCode>;
}

/** Each loads what it is made of when it is called: help and version start without any of it. */
const entries: Readonly<Record<CommandName, CommandEntry>> = {
  run: {
    help: "run the team of a team file (YAML or JSON) to its end",
    argument: new Argument("<file>", "the team file"),
    run: async (file, context) => (await import("./run-command.ts")).runCommand(file ?? "", context),
  },
  resume: {
    help: "go on with a session that was interrupted; finished work is not done again",
    argument: new Argument("<session>", "its name, as run printed it and status lists it"),
    run: async (session, context) => (await import("./resume-command.ts")).resumeCommand(session ?? "", context),
  },
  demo: {
    help: "run a team that reviews the files of a folder, without any language model",
    argument: new Argument("[dir]", "the folder, only read; left out = the current one"),
    run: async (dir, context) => (await import("./demo-command.ts")).demoCommand(dir ?? ".", context),
  },
  dev: {
    help: "run a team file, or an example, with the inspector, until Ctrl-C",
    argument: new Argument("[file]", "the team file; left out = an example with a scripted model"),
    run: async (file, context) => (await import("./dev-command.ts")).devCommand(file, context),
  },
  inspect: {
    help: "look at a running service, at a recording or counterexample, or at the stored sessions",
    argument: new Argument(
      "[url|file]",
      "the address that a service printed, or the file; left out = what the bus stored",
    ),
    run: async (what, context) => (await import("./inspect-command.ts")).inspectCommand(what, context),
  },
  attach: {
    help: "show a session that another process runs, and answer what it asks; Ctrl-C leaves it as it is",
    argument: new Argument("<session>", "its name, as run printed it and status lists it"),
    run: async (session, context) => (await import("./attach-command.ts")).attachCommand(session ?? "", context),
  },
  worker: {
    help: "carry out runs of members for the sessions of other processes, until Ctrl-C",
    argument: new Argument("[file]", "a team file with the agents; left out = --config"),
    run: async (file, context) => (await import("./worker-command.ts")).workerCommand(file, context),
  },
  check: {
    help: "explore everything that can happen to a team, and say whether the guarantees hold",
    argument: new Argument("[file]", "a team file, of which nothing is run; left out = every team of up to 3 members"),
    run: async (file, context) => (await import("./check-command.ts")).checkCommand(file, context),
  },
  replay: {
    help: "fold a recording again and say whether it is true",
    argument: new Argument("<file>", "the recording, as --record wrote it"),
    run: async (file, context) => (await import("./replay-command.ts")).replayCommand(file ?? "", context),
  },
  status: {
    help: "list the sessions that the bus knows, or show how one stands",
    argument: new Argument("[session]", "one session"),
    run: async (session, context) => (await import("./status-command.ts")).statusCommand(session, context),
  },
  doctor: {
    help: "look at all that a run needs, and say what is missing",
    argument: null,
    run: async (_none, context) => (await import("./doctor-command.ts")).doctorCommand(context),
  },
};

const exitHelp = `
Exit codes: 0 completed, or it holds; 1 the team failed or was dissolved, a guarantee is violated, or a recording
differs; 2 wrong usage or refused input; 3 a check was cut short and proves nothing; 130 interrupted. A flag wins over its
variable, that over the file, and that over the default.
`;

/** Runs the command line and ends the process with its exit code. */
export async function runProgram(argv: readonly string[], host: Host): Promise<void> {
  const output = openOutput(host);
  const code = await runCommandLine(argv, host, output);
  await output.flush();
  // Whatever a tool or a provider has left behind must not keep the process.
  host.exit(code);
}

async function runCommandLine(argv: readonly string[], host: Host, output: Output): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const program = new Command("teamchart")
    .description("Agent teams as statecharts: run, replay and look at them.")
    .version(packageFacts().version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.print(text), writeErr: () => {} })
    .addHelpText("after", exitHelp);
  // The keys of the table are the names, by its type.
  for (const command of Object.keys(entries) as CommandName[]) {
    addCommand(program, command, { host, output, done: (exitCode) => (code = exitCode) });
  }
  if (argv.length === 0) {
    output.tell(program.helpInformation() + exitHelp);
    return exitCodes.refused;
  }
  // Until its settings are read a command tells its errors as the words of the command line suggest.
  const json = argv.includes("--json") || readVariable(host.env, "TEAMCHART_JSON") === "1";
  const stage = { output, json, log: createLog("warn", { write: (text) => output.tell(text.trimEnd()) }) };
  const parsed = await guard(async () => {
    await parse(program, argv);
    return exitCodes.done;
  }, stage);
  return parsed === exitCodes.done ? code : parsed;
}

interface CommandStage {
  readonly host: Host;
  readonly output: Output;
  readonly done: (code: ExitCode) => void;
}

/** Adds a command with its settings; when it is called, it runs to its end and says how that was. */
function addCommand(program: Command, name: CommandName, { host, output, done }: CommandStage): void {
  const { help, argument, run } = entries[name];
  const command = program.command(name).description(help);
  if (argument !== null) command.addArgument(argument);
  for (const setting of commandSettings[name]) command.addOption(optionOf(setting));
  command.action(async (...given: unknown[]) => {
    const [first] = given;
    const settings = resolveSettings(commandSettings[name], command.opts(), host.env);
    const { json, logLevel } = settings.values;
    const log = createLog(logLevel, { write: (text) => output.tell(text.trimEnd()) });
    const context = { host, output, log, settings };
    done(await guard(() => run(typeof first === "string" ? first : null, context), { output, json, log }));
  });
}

const optionOf = (name: SettingName): Option => {
  const { flags, variable, help, fallback } = settingTable[name];
  const byDefault = typeof fallback === "string" || typeof fallback === "number" ? `, default ${fallback}` : "";
  return new Option(flags, `${help} (${variable}${byDefault})`);
};

/** Parses and runs; wrong usage is `bad_input`, and help or version that was asked for is no error. */
async function parse(program: Command, argv: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    const problem = error.message.replace(/^error: /, "").replaceAll("\n", " ");
    throw new TeamError("bad_input", { what: "the command line", problem });
  }
}

async function guard(run: () => Promise<ExitCode>, stage: Parameters<typeof reportError>[1]): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    return reportError(error, stage);
  }
}
