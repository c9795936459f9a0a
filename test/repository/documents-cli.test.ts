import { beforeAll, expect, test } from "vitest";
import { commandLineFaults, readCommandLine, type CommandLine } from "./checks/cli-flags.ts";
import { isGuide } from "./checks/code-blocks.ts";
import { readRepository } from "./checks/source-file.ts";

const guides = readRepository().filter((file) => isGuide(file) && file.path !== "CONTRIBUTING.md");
const manual = guides.find(({ path }) => path === "docs/team-file.md")?.text ?? "";
let commandLine: CommandLine;

beforeAll(async () => {
  commandLine = await readCommandLine();
}, 60_000);

test("every command and flag that a document names exists", () => {
  expect(commandLine.commands.size).toBeGreaterThan(3);
  expect(commandLineFaults(guides, commandLine)).toEqual([]);
});

test("the check of commands sees an unknown one, and a flag that the command does not take", () => {
  const known = { commands: new Map([["run", ["--json"]]]), variables: new Map() };
  const text = "`teamchart rnu FILE` `--jsn` `--json`\n\n```sh\nnpx teamchart run a.yaml --json --until 4\n```\n";
  expect(commandLineFaults([{ path: "docs/a.md", text }], known)).toEqual([
    "docs/a.md: run takes no --until",
    "docs/a.md: there is no command rnu",
    "docs/a.md: no command takes --jsn",
  ]);
});

test("every command, and every flag with its variable, is in the manual", () => {
  const { commands, variables } = commandLine;
  const rows = manual.split("\n");
  const missing = [...variables].filter(
    ([flag, variable]) => !rows.some((row) => row.startsWith(`| \`${flag}`) && row.includes(`\`${variable}\``)),
  );
  expect(missing).toEqual([]);
  expect([...commands.keys()].filter((name) => !rows.some((row) => row.startsWith(`| \`teamchart ${name}`)))).toEqual(
    [],
  );
});
