import type { Session } from "../../index.ts";
import type { Host } from "../host.ts";
import type { Output } from "../output.ts";
import type { Settings } from "../settings/setting.ts";
import { absentAttendant } from "./absent-attendant.ts";
import { jsonView } from "./json-view.ts";
import { lineAttendant } from "./line-attendant.ts";
import { liveView } from "./live-view.ts";
import type { LiveModule } from "./live-module.ts";
import { plainView } from "./plain-view.ts";
import type { SessionView } from "./session-view.ts";

/** What a view is chosen by and made of. */
export interface ViewOptions {
  readonly session: Session;
  readonly host: Pick<Host, "stdin" | "stdout" | "stderr">;
  readonly output: Output;
  readonly settings: Settings;
  /** The live view's bundle, where it is wanted and there. */
  readonly live: LiveModule | null;
  /** How the agents are driven. */
  readonly models: string;
  readonly onInterrupt: () => void;
  readonly onFault: (fault: unknown) => void;
}

/** Whether the terminal is one to draw in: a person looks at it and nothing else is written into it. */
export const wantsLive = ({ env, stdout }: Pick<Host, "env" | "stdout">, settings: Settings): boolean =>
  stdout.isTTY &&
  !settings.json &&
  settings.color &&
  settings.logLevel !== "debug" &&
  settings.logLevel !== "info" &&
  env["TERM"] !== "dumb" &&
  // GitHub, GitLab and most others set CI=true; an empty one or `false` says that this is none.
  ["", "0", "false", undefined].includes(env["CI"]);

/** The view that fits: JSON lines, the live view, or plain lines; each with whoever can answer for the user there. */
export function openView(options: ViewOptions): SessionView {
  const { session, host, output, settings, live, onFault, onInterrupt } = options;
  const isThere = host.stdin.isTTY && host.stderr.isTTY && !output.closed.aborted;
  const attendant = isThere
    ? lineAttendant({ stdin: host.stdin, stderr: host.stderr, onFault, onInterrupt })
    : absentAttendant((sentence) => output.tell(sentence), onFault);
  if (settings.json) return jsonView(output, attendant);
  if (live === null) return plainView(session, output, attendant);
  const view = liveView(live, options);
  // Keys reach the view only from a terminal; without one nobody can answer here either.
  return host.stdin.isTTY ? view : { ...view, attendant };
}
