import type { Session } from "../../index.ts";
import type { Host } from "../host.ts";
import type { Output } from "../output.ts";
import type { Attendant } from "./attendant.ts";
import { layOutFrame } from "./lay-out-frame.ts";
import { chosen } from "./line-attendant.ts";
import type { Live, LiveModule } from "./live-module.ts";
import { notableEvents } from "./notable-events.ts";
import type { Ask } from "./open-asks.ts";
import { resultText } from "./result-text.ts";
import type { SessionView } from "./session-view.ts";

/** Between two drawings that events ask for. */
const drawMs = 100;
/** Ages grow without events. */
const tickMs = 1_000;
/** As many last events as the tallest terminal shows. */
const eventsMax = 10;

/** What the live view needs. */
export interface LiveViewOptions {
  readonly session: Session;
  readonly host: Pick<Host, "stdin" | "stdout">;
  readonly output: Output;
  readonly models: string;
  readonly onInterrupt: () => void;
  readonly onFault: (fault: unknown) => void;
}

/** The bundle beside the built command, or null where there is none, as when the sources run unbuilt. */
export async function loadLiveModule(): Promise<LiveModule | null> {
  try {
    // Bundled on its own, so the compiler must not follow it; its interface is checked where it is built.
    return (await import(new URL("../live-view.js", import.meta.url).href)) as LiveModule;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** Draws soon after it is asked to, however often that is, and once a second anyway. */
function startPace(live: Live): { draw(): void; stop(): void } {
  let due: NodeJS.Timeout | null = null;
  const tick = setInterval(() => live.update(), tickMs);
  return {
    draw() {
      due ??= setTimeout(() => {
        due = null;
        live.update();
      }, drawMs);
    },
    stop() {
      if (due !== null) clearTimeout(due);
      clearInterval(tick);
    },
  };
}

/** Draws the session into the terminal until it is over, then says how it ended. */
export function liveView({ startLive }: LiveModule, options: LiveViewOptions): SessionView {
  const { session, host, output, models, onInterrupt, onFault } = options;
  const say = notableEvents(session);
  const events: string[] = [];
  let asks: readonly Ask[] = [];
  const startedAtMs = Date.now();
  const release = output.hold();
  const live = startLive({
    stdin: host.stdin,
    stdout: host.stdout,
    frame(size) {
      const hasLead = ["hosted", "own"].includes(session.state.config?.lead ?? "none");
      const nowMs = Date.now();
      return layOutFrame({ status: session.status(), asks, events, models, hasLead, nowMs, startedAtMs }, size);
    },
    onAnswer(id, text) {
      const ask = asks.find((each) => each.id === id);
      if (ask !== undefined) ask.answer(chosen(ask, text)).catch(onFault);
    },
    onInterrupt,
  });
  const pace = startPace(live);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    pace.stop();
    live.update();
    await live.close();
    release();
  };
  const attendant: Attendant = {
    review(open) {
      asks = open;
      pace.draw();
    },
    close: () => {},
  };
  const show = (text: string | null): void => {
    if (text !== null) events.push(text);
    if (events.length > eventsMax) events.shift();
    pace.draw();
  };
  return {
    attendant,
    event: (line) => show(say(line)),
    notice: show,
    async result(line) {
      await close();
      output.print(resultText(line, { leadFailure: session.leadFailure }));
    },
    close,
  };
}
