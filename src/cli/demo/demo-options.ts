import type { ExitCode } from "../exit-codes.ts";
import type { Host } from "../host.ts";
import type { Log } from "../log.ts";
import type { Output } from "../output.ts";
import type { Settings } from "../settings/setting.ts";

/** What `teamchart demo [DIR]` is started with. */
export interface DemoOptions {
  /** The folder whose files are looked at, absolute; it is only read. */
  readonly dir: string;
  /** The folder that REVIEW.md is written to, absolute; not made yet. */
  readonly out: string;
  /** The name of the session. */
  readonly session: string;
  readonly settings: Settings;
  /** For `hostSession`, which shows the session and gives back the exit code. */
  readonly host: Host;
  readonly output: Output;
  readonly log: Log;
}

/** Runs the demo to its end; rejects with a TeamError for input that is refused. Exported by ./run-demo.ts. */
export type RunDemo = (options: DemoOptions) => Promise<ExitCode>;
