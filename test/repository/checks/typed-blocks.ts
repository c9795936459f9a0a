import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileCache } from "../../support/compile-cache.ts";
import type { CodeBlock } from "./code-blocks.ts";
import { ROOT } from "./source-file.ts";

const run = promisify(execFile);

/** Names that a block may take for granted by `given NAME`, and their types. */
const GIVEN: Readonly<Record<string, string>> = {
  system: `import("teamchart").TeamSystem`,
  session: `import("teamchart").Session`,
  team: `import("teamchart").Team`,
  request: `import("node:http").IncomingMessage`,
  response: `import("node:http").ServerResponse`,
  reviewer: `import("teamchart").Agent`,
};

/** The block as a module. Its first line also declares what is given, so that line numbers stay. */
function moduleText({ marks, text, path, line }: CodeBlock): string {
  const from = marks.indexOf("given");
  const names = from === -1 ? [] : marks.slice(from + 1);
  const declared = names.map((name) => {
    const type = GIVEN[name];
    if (type === undefined) throw new Error(`${path}:${line}: nobody knows what "${name}" is; add it to GIVEN`);
    return `declare const ${name}: ${type}; `;
  });
  return `${declared.join("")}${text}export {};\n`;
}

/** Blocks as files of a folder inside the repository, where they find the package by its name as a user's code does. */
export class BlockFolder {
  readonly #root: string;

  constructor() {
    const parent = join(ROOT, ".teamchart");
    mkdirSync(parent, { recursive: true });
    this.#root = mkdtempSync(join(parent, "docs-"));
  }

  #write(block: CodeBlock, key: string | number): string {
    const name = `block-${key}.${block.language === "tsx" ? "tsx" : "ts"}`;
    writeFileSync(join(this.#root, name), moduleText(block));
    return name;
  }

  /** What the compiler says against the blocks, at their places in the documents. */
  async typeFaults(blocks: readonly CodeBlock[]): Promise<readonly string[]> {
    const names = new Map(blocks.map((block, index) => [this.#write(block, index), block]));
    const config = { extends: "../../tsconfig.json", include: ["*.ts", "*.tsx"], exclude: [] };
    writeFileSync(join(this.#root, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    const { stdout } = await run(tsc, ["-p", this.#root, "--pretty", "false"], { cwd: ROOT }).catch(
      // A compiler that finds faults ends with a code; what it says is what counts.
      (error: unknown) => error as { stdout: string },
    );
    const faults = stdout.split("\n").filter((line) => / error TS\d+: /.test(line));
    return faults.map((fault) => {
      const [, name = "", line = "0", what = ""] = /([^/]+)\((\d+),\d+\): error (.*)$/.exec(fault) ?? [];
      const block = names.get(name);
      return block === undefined ? fault : `${block.path}:${block.line + Number(line) - 1}: ${what}`;
    });
  }

  /** Runs a block as a program of its own and gives back what it prints. It must come to its end by itself. */
  async run(block: CodeBlock): Promise<string> {
    const file = this.#write(block, `${block.path.replaceAll(/\W/g, "-")}-${block.line}`);
    const flags = ["--conditions=@teamchart/source", "--unhandled-rejections=strict"];
    const env = { ...process.env, ...compileCache };
    const options = { cwd: this.#root, timeout: 20_000, env };
    const { stdout, stderr } = await run(process.execPath, [...flags, file], options);
    if (stderr !== "") throw new Error(`${block.path}:${block.line}: ${stderr}`);
    return stdout;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
