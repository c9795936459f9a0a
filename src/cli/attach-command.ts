import { createRedactor } from "../actors/recording/redactor.ts";
import { redactResult } from "../actors/recording/recorder.ts";
import { createTeamSystem, type Session } from "../index.ts";
import type { CommandContext } from "./command-context.ts";
import { exitCodes, type ExitCode } from "./exit-codes.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { keysOf } from "./keys-of.ts";
import { openBusOf, resumeWords } from "./open-bus.ts";
import { showEnded } from "./resume-command.ts";
import { hiding, longestTimerMs } from "./run/host-session.ts";
import { watchInterrupts } from "./run/interrupts.ts";
import { loadLiveModule } from "./run/live-view.ts";
import { openAsks } from "./run/open-asks.ts";
import { openView, wantsLive } from "./run/open-view.ts";
import { warnInto } from "./log.ts";

/** Shows a session that another process runs until it ends or the user leaves, and lets the user answer what it asks. */
export async function attachCommand(id: string, context: CommandContext): Promise<ExitCode> {
  const { host, log, settings } = context;
  const { values } = settings;
  const onFault = warnInto(log);
  await using opened = await openBusOf(id, values.bus, { cwd: host.cwd(), env: host.env, onFault });
  const { bus } = opened;
  await using system = await createTeamSystem({ bus, environment: {}, onFault });
  const session = await system.followSession(id);
  if (hasEnded(session)) return showEnded({ result: session.result(), leadFailure: session.leadFailure }, context);
  return await show(session, context, onFault);
}

const hasEnded = ({ state }: Session): boolean => state.snapshot.value === "closed";

async function show(session: Session, context: CommandContext, onFault: (fault: unknown) => void): Promise<ExitCode> {
  const { host, settings } = context;
  const redactor = createRedactor({ secrets: keysOf(host.env) });
  const output = hiding(context.output, redactor);
  const live = wantsLive(host, settings.values) ? await loadLiveModule() : null;
  const interrupts = watchInterrupts(host, context.output);
  const asks = openAsks(session);
  const onInterrupt = (): void => interrupts.raise();
  const stage = { host, output, settings: settings.values, live, session, onInterrupt, onFault };
  const view = openView({ ...stage, models: "run by another process" });
  const ended = Promise.withResolvers<void>();
  const events = session.events$.subscribe({
    next(happened) {
      view.event({ ...happened, event: redactor.steering(happened.event) });
      if (asks.take(happened)) view.attendant.review(asks.asks);
      if (hasEnded(session)) ended.resolve();
    },
    complete: () => ended.resolve(),
  });
  // Nothing that it waits for is this process's own.
  const alive = setInterval(() => {}, longestTimerMs);
  try {
    if (!(await session.inspection.hasOwner()))
      view.notice(`Nobody runs it now. Go on with it: ${resumeWords(session.id, settings.values.bus)}`);
    asks.look();
    view.attendant.review(asks.asks);
    const stopper = await Promise.race([ended.promise.then(() => null), interrupts.first]);
    if (stopper !== null) {
      view.notice("Left: the session goes on where it runs.");
      return exitCodes.interrupted;
    }
    const result = redactResult(session.result(), redactor);
    await view.result(result);
    return exitCodeOf[result.outcome];
  } finally {
    clearInterval(alive);
    events.unsubscribe();
    asks.close();
    interrupts.close();
    await view.close();
  }
}
