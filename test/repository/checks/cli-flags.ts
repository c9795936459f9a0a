import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeBlocks } from "./code-blocks.ts";
import { ROOT, type SourceFile } from "./source-file.ts";

const run = promisify(execFile);

/** What the command line says of itself: each command with its flags, and the variable that each flag names. */
export interface CommandLine {
  readonly commands: ReadonlyMap<string, readonly string[]>;
  readonly variables: ReadonlyMap<string, string>;
}

async function help(...args: readonly string[]): Promise<string> {
  const command = ["--conditions=@teamchart/source", join(ROOT, "src/cli/main.ts"), "help", ...args];
  const { stdout } = await run(process.execPath, command, { cwd: ROOT });
  return stdout;
}

/** Reads the help of every command, as a user gets it. */
export async function readCommandLine(): Promise<CommandLine> {
  const [, list = ""] = (await help()).split("\nCommands:\n");
  const names = [...list.matchAll(/^ {2}(\w+)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : name));
  const variables = new Map<string, string>();
  const commands = new Map<string, readonly string[]>();
  const texts = await Promise.all(names.map((name) => help(name)));
  for (const [index, name] of names.entries()) {
    const [, options = ""] = (texts[index] ?? "").split("\nOptions:\n");
    const entries = options.split(/^ {2}(?=-)/m).flatMap((text) => {
      const [flag] = /--[a-z-]+/.exec(text) ?? [];
      const [variable] = /TEAMCHART_[A-Z_]+/.exec(text) ?? [];
      if (flag !== undefined && variable !== undefined) variables.set(flag, variable);
      return flag ?? [];
    });
    commands.set(name, entries);
  }
  return { commands, variables };
}

/**
 * Every `teamchart COMMAND --flag` of a document that the command line would not take: in blocks of commands and in inline
 * code. A flag that stands alone in inline code must be one of any command.
 */
export function commandLineFaults(documents: readonly SourceFile[], { commands }: CommandLine): readonly string[] {
  const flags = new Set([...commands.values()].flat());
  return documents.flatMap((document) => {
    const { path, text } = document;
    const shell = codeBlocks(document)
      .filter(({ language }) => language === "sh")
      .flatMap((block) => block.text.split("\n"));
    const inline = [...text.replaceAll(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
    return [...shell, ...inline].flatMap((code) => {
      const [, name = "", rest = ""] = /\bteamchart (\w+)(.*)/.exec(code) ?? [];
      const alone = /^(--[a-z-]+)/.exec(code)?.[1];
      if (alone !== undefined) return flags.has(alone) ? [] : [`${path}: no command takes ${alone}`];
      if (name === "" || name === "help") return [];
      const known = commands.get(name);
      if (known === undefined) return [`${path}: there is no command ${name}`];
      const used = [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag);
      return used.filter((flag) => !known.includes(flag)).map((flag) => `${path}: ${name} takes no ${flag}`);
    });
  });
}
