import type { Subscription } from "rxjs";
import { diagnostics, type AppendDiagnostic } from "../../actors/owner/diagnostics.ts";
import type { Session } from "../../actors/session/session.ts";
import type { Verdict } from "../../machines/kernel/applied.ts";
import type { MailboxDepth, SessionSource } from "../sessions/session-source.ts";
import { Histogram } from "./histogram.ts";
import { headLines, metricLines } from "./prometheus-text.ts";

/** Mailboxes of one session that have a line of their own: the fullest. A team may have thousands. */
const mailboxesMax = 50;

const appendBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const verdicts: readonly Verdict[] = ["handled", "ignored", "stale", "refused", "error"];

/** Counts what happens in the sessions of one system, and says how full its mailboxes are when it is asked. */
export class ServiceMetrics {
  readonly #system: string | null;
  readonly #inputs = new Map<Verdict, number>(verdicts.map((verdict) => [verdict, 0]));
  readonly #appends = new Histogram(appendBounds);
  readonly #subscriptions = new Set<Subscription>();
  #takeovers = 0;
  #deadLetters = 0;
  #streams = 0;

  /** `system` is the name by which its appends are known; null = there is none. */
  constructor(system: string | null) {
    this.#system = system;
    if (system !== null) diagnostics.append.subscribe(this.#onAppend);
  }

  /** Counts what happens in a session from now on. */
  follow(session: Session): void {
    let { deadLettered } = session.state.mail;
    let isOwned = session.state.epoch > 0;
    const subscription = session.records$.subscribe({
      next: ({ stored, applied }) => {
        this.#inputs.set(applied.verdict, (this.#inputs.get(applied.verdict) ?? 0) + 1);
        const now = session.state.mail.deadLettered;
        this.#deadLetters += now - deadLettered;
        deadLettered = now;
        if (stored.input.event.type !== "owner.claimed" || applied.verdict !== "handled") return;
        if (isOwned) this.#takeovers += 1;
        isOwned = true;
      },
      complete: () => this.#subscriptions.delete(subscription),
    });
    this.#subscriptions.add(subscription);
  }

  /** Streams that are open now. */
  set streams(count: number) {
    this.#streams = count;
  }

  /** Everything in the text format of Prometheus. */
  text(sessions: readonly SessionSource[], nowMs: number): string {
    const open = sessions.filter(({ isClosed }) => !isClosed);
    const lines = [
      ...metricLines("teamchart_sessions", "gauge", "Sessions that are shown, by state.", [
        { labels: { state: "open" }, value: open.length },
        { labels: { state: "closed" }, value: sessions.length - open.length },
      ]),
      ...metricLines(
        "teamchart_inputs_total",
        "counter",
        "Inputs by what became of them; handled ones were applied.",
        [...this.#inputs].map(([verdict, value]) => ({ labels: { verdict }, value })),
      ),
      ...metricLines("teamchart_takeovers_total", "counter", "Sessions taken over from another owner.", [
        { value: this.#takeovers },
      ]),
      ...metricLines("teamchart_dead_letters_total", "counter", "Messages that can never be read.", [
        { value: this.#deadLetters },
      ]),
      ...headLines("teamchart_append_seconds", "histogram", "Time until an input is durable."),
      ...this.#appends.lines("teamchart_append_seconds"),
      ...mailboxLines(open, nowMs),
      ...metricLines("teamchart_pending_requests", "gauge", "Permission requests without an answer.", sumOf(open)),
      ...metricLines("teamchart_event_streams", "gauge", "Event streams that are open.", [{ value: this.#streams }]),
    ];
    return `${lines.join("\n")}\n`;
  }

  close(): void {
    if (this.#system !== null) diagnostics.append.unsubscribe(this.#onAppend);
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions.clear();
  }

  readonly #onAppend = (message: unknown): void => {
    // Only this package publishes on its channels.
    const { system, ms } = message as AppendDiagnostic;
    if (system === this.#system) this.#appends.add(ms / 1_000);
  };
}

const sumOf = (sessions: readonly SessionSource[]) =>
  sessions.map((session) => ({ labels: { session: session.id }, value: session.summary().pendingRequests }));

/** How full mailboxes are and how old what is in them is: the fullest ones, and the sum of each session. */
function mailboxLines(sessions: readonly SessionSource[], nowMs: number): readonly string[] {
  const all = sessions.map((session) => ({ session: session.id, boxes: session.mailboxes() }));
  const ageOf = ({ oldestAt }: MailboxDepth): number => (oldestAt === null ? 0 : Math.max(0, nowMs - oldestAt) / 1_000);
  const single = all.flatMap(({ session, boxes }) =>
    boxes
      .filter(({ unread }) => unread > 0)
      .toSorted((a, b) => b.unread - a.unread)
      .slice(0, mailboxesMax)
      .map((box) => ({ labels: { session, actor: box.actor }, box })),
  );
  const perSession = (valueOf: (boxes: readonly MailboxDepth[]) => number) =>
    all.map(({ session, boxes }) => ({ labels: { session }, value: valueOf(boxes) }));
  return [
    ...metricLines(
      "teamchart_mailbox_messages",
      "gauge",
      `Unread mail of the fullest mailboxes, at most ${mailboxesMax} of a session.`,
      single.map(({ labels, box }) => ({ labels, value: box.unread })),
    ),
    ...metricLines(
      "teamchart_mailbox_oldest_seconds",
      "gauge",
      "Age of the oldest unread mail of the same mailboxes.",
      single.map(({ labels, box }) => ({ labels, value: ageOf(box) })),
    ),
    ...metricLines(
      "teamchart_session_unread_messages",
      "gauge",
      "Unread mail of all mailboxes of a session.",
      perSession((boxes) => boxes.reduce((sum, { unread }) => sum + unread, 0)),
    ),
    ...metricLines(
      "teamchart_session_oldest_seconds",
      "gauge",
      "Age of the oldest unread mail of a session.",
      perSession((boxes) => boxes.reduce((oldest, box) => Math.max(oldest, ageOf(box)), 0)),
    ),
  ];
}
