import type { Mail } from "../../machines/index.ts";
import { noticeSentence } from "../../tools/team/index.ts";
import { mailHandle, mailKindOf, type AcknowledgeResult } from "../../protocol/mail.ts";
import type { MailReader, ReceivedMail } from "../agents/agent.ts";
import type { RunPort } from "../runs/run-port.ts";
import type { RunSignal } from "../runs/run-signal.ts";
import type { TakenMailItem } from "./taken-mail.ts";

/** Where a run's mail comes from. */
interface Mailbox {
  /** What is unread now. */
  unread(): readonly Mail[];
  contentOf(mail: Pick<Mail, "body">): string;
  /** Told of what is about to be read; the ways on which it came. */
  heard(mail: readonly Mail[]): readonly (readonly string[])[];
  /** What a run of this turn has read that was lost: it is read again. */
  readAgain(): readonly TakenMailItem[];
}

/** What a notice says: its sentence, and the reason behind it. */
const noticeText = ({ notice, about, reason }: Pick<Mail, "notice" | "about" | "reason">): string =>
  [notice === null ? "" : noticeSentence(notice, about), reason ?? ""].filter((part) => part !== "").join(" ");

/**
 * A run's view of its mailbox: what is handed out is journalled first, so that it is delivered once and none is lost. What a
 * run that was lost has read in the same turn comes first; it was delivered, and is not journalled once more.
 */
export class RunMail implements MailReader {
  readonly #mailbox: Mailbox;
  readonly #port: RunPort;
  readonly #signal: RunSignal;
  /** Reported as read while it may still be unread in the state. */
  readonly #reported = new Set<string>();
  #waiting: (() => void)[] = [];
  #acknowledged = 0;
  #again: readonly TakenMailItem[];

  constructor(mailbox: Mailbox, port: RunPort, signal: RunSignal) {
    this.#mailbox = mailbox;
    this.#port = port;
    this.#signal = signal;
    this.#again = mailbox.readAgain();
  }

  // Agents take these out of the object (`const { next } = mail`), so they are bound.
  readonly take = async (): Promise<readonly ReceivedMail[]> => {
    const again = this.#takeAgain(Infinity);
    return [...again, ...(await this.#read(this.#news()))];
  };

  readonly next = async (): Promise<ReceivedMail> => {
    for (;;) {
      this.#signal.throwIfAborted();
      const [again] = this.#takeAgain(1);
      if (again !== undefined) return again;
      // One alone: what this run doesn't ask for stays unread, for its next turn.
      const [first] = await this.#read(this.#news().slice(0, 1));
      if (first !== undefined) return first;
      // Looked at and waited for in one go: whatever comes after the look pokes.
      if (this.#news().length === 0 && !this.#signal.aborted) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    }
  };

  readonly acknowledge = (...handles: readonly string[]): Promise<AcknowledgeResult> =>
    this.#port.acknowledge(handles, { toolCallId: `acknowledge-${++this.#acknowledged}` });

  /** Something may have come, or the run is stopped: whoever waits looks again. */
  poke(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  async #read(mail: readonly Mail[]): Promise<readonly ReceivedMail[]> {
    if (mail.length === 0) return [];
    for (const each of mail) this.#reported.add(each.id);
    const origins = this.#mailbox.heard(mail);
    const received = mail.map((each) => ({
      from: each.from,
      kind: mailKindOf(each),
      handle: mailHandle(each),
      content: each.notice === null ? this.#mailbox.contentOf(each) : noticeText(each),
    }));
    const event = { type: "run.injected", mail: mail.map((each) => each.id) } as const;
    await (origins.length === 0 ? this.#port.report(event) : this.#port.report(event, { origins }));
    return received;
  }

  #takeAgain(max: number): readonly ReceivedMail[] {
    if (this.#again.length === 0) return [];
    const taken = this.#again.slice(0, max);
    this.#again = this.#again.slice(taken.length);
    return taken.map((each) => {
      const { from, kind, handle, notice, digest } = each;
      const body = digest === null ? null : { digest, bytes: 0 };
      const content = notice === null ? this.#mailbox.contentOf({ body }) : noticeText(each);
      return { from, kind, handle, content };
    });
  }

  /** Unread mail that this run has not reported. */
  #news(): readonly Mail[] {
    const unread = this.#mailbox.unread();
    if (this.#reported.size > unread.length) {
      const there = new Set(unread.map((mail) => mail.id));
      for (const id of this.#reported) if (!there.has(id)) this.#reported.delete(id);
    }
    return this.#reported.size === 0 ? unread : unread.filter((mail) => !this.#reported.has(mail.id));
  }
}
