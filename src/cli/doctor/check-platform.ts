import { wantsLive } from "../run/open-view.ts";
import type { Host } from "../host.ts";
import type { PackageFacts } from "../package-facts.ts";
import type { Settings } from "../settings/setting.ts";
import type { Check } from "./check.ts";

const isTerminal = (is: boolean): string => (is ? "a terminal" : "no terminal");

/** Node, this package, and the terminal. */
export function checkPlatform(host: Host, { version, nodeFloor }: PackageFacts, settings: Settings): Check[] {
  const { stdin, stdout, env, versions } = host;
  const size = stdout.isTTY ? ` of ${stdout.columns}x${stdout.rows}` : "";
  const view = wantsLive(host, settings) ? "live view" : "plain lines";
  const facts = [
    `stdout is ${isTerminal(stdout.isTTY)}${size}`,
    `stdin is ${isTerminal(stdin.isTTY)}`,
    `CI=${env["CI"] ?? ""}`,
    `NO_COLOR=${env["NO_COLOR"] ?? ""}`,
    `TERM=${env["TERM"] ?? ""}`,
  ];
  return [
    // Main would not have come here on an older one.
    { name: "node", state: "ok", text: `${versions.node} (at least ${nodeFloor})`, next: null },
    { name: "teamchart", state: "ok", text: version, next: null },
    { name: "terminal", state: "ok", text: `${view}: ${facts.join(", ")}`, next: null },
  ];
}
