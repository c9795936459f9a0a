import { AckPolicy, DeliverPolicy, ReplayPolicy, type ConsumerInfo } from "@nats-io/jetstream";
import { nanos, nuid, type Msg, type Subscription } from "@nats-io/nats-core";
import type { Link } from "./link.ts";

/** Messages that one request asks for. */
const batchMax = 1_000;
const expiresMs = 30_000;
/** How often a server that has nothing to deliver says that it is there. */
const heartbeatMs = 500;
/** A server that said nothing for so long delivers nothing either. */
const silentMs = heartbeatMs * 4;
/** The server drops a consumer that nobody asks anything of. */
const unusedMs = 60_000;

/** What is pulled, and who is told. */
export interface PullOptions {
  readonly stream: string;
  readonly filter: string;
  readonly fromSeq: number;
  /** Messages to ask for at all; left out = what comes, for ever. */
  readonly messagesMax?: number;
  /** Whether a delivery that is missing between two ends it. Without this, what a connection lost stays lost. */
  readonly checksGaps: boolean;
  readonly onMessage: (delivered: Delivered) => void;
  /** Called once: something may be missing from here on, or the server is silent. */
  readonly onLost: (reason: string) => void;
}

/** A message as a stream delivers it. */
export interface Delivered {
  readonly subject: string;
  readonly seq: number;
  readonly data: Uint8Array;
}

/**
 * One consumer without acknowledgements, and the requests that keep it delivering, in stream order. A connection that
 * breaks takes along what was on its way: the number that the server gives each delivery shows it. There is no second
 * delivery then; whoever needs what is missing opens another one behind the last message that it has.
 */
export class Pull {
  readonly #link: Link;
  readonly #options: PullOptions;
  readonly #consumer: string;
  readonly #subscription: Subscription;
  #expected = 1;
  /** Messages that the request under way may still bring. */
  #left = 0;
  #wanted: number;
  #heardAt = performance.now();
  readonly #watch: NodeJS.Timeout;
  #isOpen = true;

  private constructor(link: Link, options: PullOptions, info: ConsumerInfo) {
    this.#link = link;
    this.#options = options;
    this.#consumer = info.name;
    this.#wanted = options.messagesMax ?? Infinity;
    this.#subscription = link.connection.subscribe(link.inbox(), {
      callback: (error, message) => this.#take(error, message),
    });
    this.#watch = setInterval(() => this.#listen(), heartbeatMs).unref();
    this.#request();
  }

  /** Makes the consumer; `pending` = the messages that are stored for it. */
  static async open(
    link: Link,
    options: PullOptions,
  ): Promise<{ readonly pull: Pull | null; readonly pending: number }> {
    const { stream, filter, fromSeq } = options;
    const info = await link.manager.consumers.add(stream, {
      name: nuid.next(),
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: fromSeq,
      filter_subject: filter,
      replay_policy: ReplayPolicy.Instant,
      inactive_threshold: nanos(unusedMs),
      max_waiting: 8,
      mem_storage: true,
    });
    const pending = info.num_pending;
    if (options.messagesMax !== undefined && pending === 0) {
      forget(link, stream, info.name);
      return { pull: null, pending };
    }
    const messagesMax = options.messagesMax === undefined ? undefined : Math.min(options.messagesMax, pending);
    const bounded = messagesMax === undefined ? options : { ...options, messagesMax };
    return { pull: new Pull(link, bounded, info), pending };
  }

  /** Ends it; the server is told, and forgets the consumer by itself when it isn't. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#watch);
    this.#subscription.unsubscribe();
    forget(this.#link, this.#options.stream, this.#consumer);
  }

  #lost(reason: string): void {
    if (!this.#isOpen) return;
    this.close();
    this.#options.onLost(reason);
  }

  #request(): void {
    const batch = Math.min(batchMax, this.#wanted);
    if (batch === 0 || !this.#isOpen || !this.#link.isUp) return;
    this.#left = batch;
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${this.#options.stream}.${this.#consumer}`;
    const isBounded = this.#options.messagesMax !== undefined;
    const waiting = { expires: nanos(expiresMs), idle_heartbeat: nanos(heartbeatMs) };
    const request = { batch, ...(isBounded ? { no_wait: true } : waiting) };
    this.#link.connection.publish(subject, JSON.stringify(request), { reply: this.#subscription.getSubject() });
  }

  #take(error: Error | null | void, message: Msg): void {
    if (!this.#isOpen) return;
    if (error) {
      this.#lost(error.message);
      return;
    }
    this.#heardAt = performance.now();
    const delivery = deliveryOf(message.reply);
    if (delivery === null) this.#takeStatus(message);
    else this.#deliver(message, delivery);
  }

  #deliver(message: Msg, { seq, count }: Delivery): void {
    const isGap = count !== this.#expected;
    if (isGap && this.#options.checksGaps) {
      this.#lost(`delivery ${this.#expected} is missing`);
      return;
    }
    this.#expected = count + 1;
    this.#left -= 1;
    this.#wanted -= 1;
    this.#options.onMessage({ subject: message.subject, seq, data: message.data });
    if (this.#left <= 0) this.#request();
  }

  /** 100 = it is there; 408 and 404 = the request has ended; anything else = this consumer delivers no more. */
  #takeStatus(message: Msg): void {
    const code = message.headers?.code ?? 0;
    if (code === 100) return;
    const text = message.headers?.description ?? "";
    const isOver = code === 404 || code === 408 || (code === 409 && /batch|max bytes|expire/i.test(text));
    // A bounded one asks for what is stored; when there is less of it than was counted, it has been dropped meanwhile.
    if (isOver && this.#options.messagesMax === undefined) this.#request();
    else this.#lost(`${code} ${text}`);
  }

  #listen(): void {
    if (performance.now() - this.#heardAt < silentMs) return;
    this.#heardAt = performance.now();
    if (this.#options.checksGaps) this.#lost("the server is silent");
    else this.#request();
  }
}

interface Delivery {
  readonly seq: number;
  readonly count: number;
}

/** `$JS.ACK.<stream>.<consumer>.<tries>.<seq>.<count>.<time>.<pending>`, with two more in front from some servers. */
function deliveryOf(reply: string | undefined): Delivery | null {
  if (reply?.startsWith("$JS.ACK.") !== true) return null;
  const tokens = reply.split(".");
  const at = tokens.length > 9 ? 7 : 5;
  return { seq: Number(tokens[at]), count: Number(tokens[at + 1]) };
}

function forget(link: Link, stream: string, consumer: string): void {
  if (!link.isUp) return;
  // It is gone, or will be when nobody has asked anything of it for a minute.
  link.manager.consumers.delete(stream, consumer).catch(() => {});
}
