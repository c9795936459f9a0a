import type { Subscription } from "rxjs";
import type { OpenSessionOptions, ResultLine, Session, TeamError, TeamSystem } from "../../index.ts";
import { describeRefusal, isTeamError } from "../../errors/index.ts";
import { redactResult } from "../../actors/recording/recorder.ts";
import { createRedactor, type Redactor } from "../../actors/recording/redactor.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import type { Host } from "../host.ts";
import { keysOf } from "../keys-of.ts";
import { type Log, warnInto } from "../log.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";
import type { Settings } from "../settings/setting.ts";
import { watchInterrupts } from "./interrupts.ts";
import { loadLiveModule } from "./live-view.ts";
import { openAsks } from "./open-asks.ts";
import { openRecording } from "./open-recording.ts";
import { openView, wantsLive } from "./open-view.ts";

/** What is to be run and shown. */
export interface SessionJob {
  readonly system: TeamSystem;
  readonly id: string;
  readonly lead?: OpenSessionOptions["lead"];
  /** Begins the work; resolves when it may be waited for. A refusal rejects, and is then the command's. */
  readonly begin: (session: Session) => Promise<unknown>;
  /** Kept with the session, so that it can be gone on with. */
  readonly file?: unknown;
  /** What is typed to go on with it after an interrupt; null or left out = an interrupt ends it. */
  readonly resume?: string | null;
  /** How the agents are driven, such as "scripted model, no LLM". */
  readonly models: string;
}

/** Where and how it is shown. */
export interface SessionStage {
  readonly host: Host;
  readonly output: Output;
  readonly settings: Settings;
  readonly log: Log;
}

/** How it ended. */
export interface HostedResult {
  readonly result: ResultLine;
  readonly exitCode: ExitCode;
}

/** The longest that a timer of this platform can be set to. */
export const longestTimerMs = 2_147_483_647;

/**
 * Runs one session to its end in front of the user: shows it, records it, lets the user answer, dissolves what is left.
 * An interrupt dissolves the team, or leaves a session that can be gone on with as it is; a second one ends the process.
 * When it resolves or rejects the session is closed; the system is the caller's.
 */
export async function hostSession(job: SessionJob, stage: SessionStage): Promise<HostedResult> {
  const { settings, host, log } = stage;
  const onFault = warnInto(log);
  const live = wantsLive(host, settings) ? await loadLiveModule() : null;
  const redactor = createRedactor({ secrets: keysOf(host.env) });
  const recording = await openRecording(settings.record, job.id, { redactor, onFault });
  const interrupts = watchInterrupts(host, stage.output);
  // A session that waits for a model, a user or nothing at all may have no timer and no socket of its own.
  const alive = setInterval(() => {}, longestTimerMs);
  let lost: TeamError | null = null;
  let hosted: HostedResult;
  try {
    hosted = await show(job, { ...stage, live, recording, redactor, interrupts, onFault });
  } catch (error) {
    recording.error(error);
    throw error;
  } finally {
    clearInterval(alive);
    interrupts.close();
    lost = await recording.close();
    // The run is what it is; who asked for a recording must learn that there is none.
    for (const problem of lost?.problems ?? []) stage.output.tell(printable(describeRefusal(problem)));
  }
  return lost !== null && hosted.exitCode === exitCodes.done ? { ...hosted, exitCode: exitCodes.failed } : hosted;
}

/** The same way out, for lines that must not hold a secret. */
export const hiding = (output: Output, redactor: Redactor): Output => ({
  ...output,
  print: (text) => output.print(redactor.text(text)),
  tell: (sentence) => output.tell(redactor.text(sentence)),
});

interface Showing extends SessionStage {
  readonly live: Parameters<typeof openView>[0]["live"];
  readonly recording: Awaited<ReturnType<typeof openRecording>>;
  readonly redactor: Redactor;
  readonly interrupts: ReturnType<typeof watchInterrupts>;
  readonly onFault: (fault: unknown) => void;
}

async function show(job: SessionJob, showing: Showing): Promise<HostedResult> {
  const { recording, redactor, interrupts, onFault } = showing;
  const attached: Attached[] = [];
  const session = await job.system.openSession({
    id: job.id,
    ...(job.lead === undefined ? {} : { lead: job.lead }),
    ...(job.file === undefined ? {} : { file: job.file }),
    onOpen(opened) {
      recording.follow(opened);
      attached.push(attach(opened, job, showing));
    },
  });
  const view = attached[0]?.view;
  const { resume = null } = job;
  let isKept = false;
  try {
    const work = job.begin(session).then(() => session.settled());
    // After an interrupt nobody waits for it any more, and closing the session makes it reject.
    work.catch(() => {});
    const stopper = await Promise.race([work.then(() => null), interrupts.first]);
    const interrupted = stopper !== null;
    isKept = interrupted && resume !== null;
    if (stopper === "user") view?.notice(interruptNotice(isKept));
    if (!isKept) await windUp(session, interrupted);
    const result = redactResult(session.result({ interrupted }), redactor);
    for (const { events } of attached) events.unsubscribe();
    recording.result(result);
    await view?.result(result);
    return { result, exitCode: exitCodeOf[result.outcome] };
  } catch (fault) {
    // What the bus could not take, or another process has, is not at its end.
    isKept ||= resume !== null && (isTeamError(fault, "bus_unavailable") || isTeamError(fault, "fenced"));
    throw fault;
  } finally {
    for (const { events, asks } of attached) {
      events.unsubscribe();
      asks.close();
    }
    await (isKept ? session.close() : session.end());
    try {
      await view?.close();
    } catch (fault) {
      onFault(fault);
    }
    if (isKept) showing.output.tell(`The session is kept. Go on with it: ${resume}`);
  }
}

const interruptNotice = (isKept: boolean): string =>
  isKept
    ? "Interrupted: the session stays as it is. Interrupt again to exit at once."
    : "Interrupted: dissolving the team. Interrupt again to exit at once.";

interface Attached {
  readonly view: ReturnType<typeof openView>;
  readonly asks: ReturnType<typeof openAsks>;
  readonly events: Subscription;
}

/** Shows and logs what happens in a session from its first input on. */
function attach(session: Session, job: SessionJob, showing: Showing): Attached {
  const { log, redactor, interrupts } = showing;
  const asks = openAsks(session);
  const output = hiding(showing.output, redactor);
  const view = openView({ ...showing, output, session, models: job.models, onInterrupt: () => interrupts.raise() });
  const events = session.events$.subscribe((happened) => {
    // Every place that shows or keeps an event gets it without secrets.
    const line = { ...happened, event: redactor.steering(happened.event) };
    view.event(line);
    if (log.level === "debug") {
      const { type: _type, event, ...fields } = line;
      log.write("debug", { message: event.type, session: session.id, ...fields });
    }
    if (asks.take(line)) view.attendant.review(asks.asks);
  });
  return { view, asks, events };
}

/** Ends the team that is left, if there is one: at once after an interrupt, else it has nothing more to do. */
async function windUp(session: Session, interrupted: boolean): Promise<void> {
  const { state } = session.status();
  if (state === "none" || state === "completed" || state === "failed" || state === "dissolved") return;
  await session.dissolve({ mode: interrupted ? "abort" : "graceful" });
}
