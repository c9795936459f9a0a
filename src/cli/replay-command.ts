import { projectStatus } from "../machines/index.ts";
import type { HeaderLine } from "../protocol/index.ts";
import { replay, type Replayed } from "../testing/replay.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";
import { printable } from "./printable.ts";
import { commandSettings } from "./settings/command-settings.ts";
import { settingEntries } from "./settings/config-entries.ts";
import { printConfig } from "./settings/print-config.ts";

/** Folds a recording again and says whether it is true, and how the session stood at its end or at `--until`. */
export async function replayCommand(path: string, context: CommandContext): Promise<ExitCode> {
  const { output, settings } = context;
  const { until, json, printConfig: wantsConfig } = settings.values;
  if (wantsConfig) {
    printConfig(settingEntries(commandSettings.replay, settings), { output, json });
    return exitCodes.done;
  }
  const replayed = await replay(path, until === null ? {} : { until });
  if (json) printJson(replayed, context);
  else output.print(textOf(replayed, until));
  return exitCodes.done;
}

/** Bodies are in the recording, not in the fold: a member's summary is told by the result line alone. */
const statusOf = ({ session, kernel }: Replayed) =>
  projectStatus(session, kernel.steppers.facts, () => undefined, { changed: true, caller: "lead" });

function printJson(replayed: Replayed, { output }: CommandContext): void {
  const { header, steps, lines, inputs, hash, truncated, result, error } = replayed;
  for (const step of steps) output.print(jsonLine(step));
  const facts = {
    session: header.session,
    violation: header.violation ?? null,
    lines,
    inputs,
    hash,
    truncated,
    status: statusOf(replayed),
    result,
    error,
  };
  output.print(jsonLine({ type: "replay", ...facts }));
}

/** What a counterexample shows, and nothing for any other recording. */
const violatedBy = ({ violation }: HeaderLine): string[] =>
  violation === undefined
    ? []
    : [
        `a counterexample: its last step violates ${printable(violation.property)}`,
        `  ${printable(violation.problem)}`,
      ];

function textOf(replayed: Replayed, until: number | null): string {
  const { header, lines, inputs, hash, truncated, result, error } = replayed;
  const { team, state, revision, members } = statusOf(replayed);
  const upTo = until === null ? "" : `, up to sequence ${until}`;
  const text = [
    `session ${printable(header.session)}: ${lines} lines and ${inputs} inputs are true${upTo}`,
    ...violatedBy(header),
    ...members.map(({ name, status, activity, reason }) => {
      const doing = activity === null ? "" : ` (${activity})`;
      return `${status.padEnd(11)}  ${printable(name)}${doing}${reason === undefined ? "" : `  ${printable(reason)}`}`;
    }),
    team === null ? "no team" : `team ${printable(team)}: ${state}, revision ${revision}`,
  ];
  if (result !== null) text.push(`result: ${result.outcome}`);
  if (error !== null) text.push(`ended by ${error.code}: ${printable(error.message)}`);
  if (truncated !== null && header.violation === undefined)
    text.push(`It has no end (${printable(truncated.problem)}): its writer was stopped or is still at work.`);
  text.push(`hash ${hash}`);
  return `${text.join("\n")}\n`;
}
