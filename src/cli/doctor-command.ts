import type { Check } from "./doctor/check.ts";
import { checkBus } from "./doctor/check-bus.ts";
import { checkFolders } from "./doctor/check-folders.ts";
import { checkModel } from "./doctor/check-model.ts";
import { checkPlatform } from "./doctor/check-platform.ts";
import { tryScriptedRun } from "./doctor/try-scripted-run.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { jsonLine } from "./json-line.ts";
import { packageFacts } from "./package-facts.ts";
import { printable } from "./printable.ts";

/**
 * Looks at all that a run needs, and says what is missing or a danger, and what to do. Done when a scripted run works and
 * the model and the server that were named, if they were, can be used.
 */
export async function doctorCommand({ host, output, settings }: CommandContext): Promise<ExitCode> {
  const { values } = settings;
  const scripted = await tryScriptedRun();
  const checks: Check[] = [
    ...checkPlatform(host, packageFacts(), values),
    ...(await checkFolders(host.cwd())),
    ...(await checkModel(values.model, host.env)),
    ...(await checkBus(values.bus, host.env)),
    scripted,
  ];
  const isMissing = (asked: string): boolean => checks.some(({ name, state }) => name === asked && state === "missing");
  const [isModelMissing, isServerMissing] = [isMissing("model"), isMissing("nats-server")];
  const ok = scripted.state === "ok" && !isModelMissing && !isServerMissing;
  if (values.json) output.print(jsonLine({ type: "doctor", ok, checks }));
  else output.print(textOf(checks, { runs: scripted.state === "ok", isModelMissing, isServerMissing }));
  return ok ? exitCodes.done : exitCodes.failed;
}

interface Verdict {
  readonly runs: boolean;
  readonly isModelMissing: boolean;
  readonly isServerMissing: boolean;
}

function textOf(checks: readonly Check[], { runs, isModelMissing, isServerMissing }: Verdict): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, state, text, next }) => [
    `${state.padEnd(7)}  ${name.padEnd(width)}  ${printable(text)}`,
    ...(next === null ? [] : [`${" ".repeat(width + 11)}next: ${printable(next)}`]),
  ]);
  const verdict = runs ? "Scripted runs work here. Try: teamchart demo" : "Scripted runs do not work here; see above.";
  const model = isModelMissing ? ["The model that was named cannot be used yet; see above."] : [];
  const server = isServerMissing ? ["The nats-server that was named cannot be used yet; see above."] : [];
  return `${[...lines, ...model, ...server, verdict].join("\n")}\n`;
}
