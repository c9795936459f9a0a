import { Writable } from "node:stream";
import type { Host } from "../../src/cli/host.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Ended } from "./teamchart.ts";

/**
 * The whole command line in this process: what it writes, and what it would exit with. It knows no variables. Starting a
 * process takes a second, so what does not depend on one is tried here; a throw that nobody catches fails the test.
 */
export async function inProcess(argv: readonly string[]): Promise<Ended> {
  const texts: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
  const into = (name: keyof typeof texts) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        texts[name] += chunk.toString();
        done();
      },
    });
  let code: number | null = null;
  // Of a process's streams the command uses what every stream has.
  const host = {
    cwd: process.cwd,
    env: {},
    exit: (given: number) => void (code = given),
    on: () => host,
    off: () => host,
    stdin: process.stdin,
    stdout: into("stdout"),
    stderr: into("stderr"),
    versions: process.versions,
  } as unknown as Host;
  await runProgram(argv, host);
  return { code, ...texts };
}
