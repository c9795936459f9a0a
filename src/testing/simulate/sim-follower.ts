import type { Subscriber, Subscription } from "rxjs";
import type { Bus, Stored, SubjectFilter } from "../../bus/bus.ts";
import type { LinkFates } from "./link-fates.ts";
import type { SimProcess } from "./sim-process.ts";
import type { SimScheduler } from "./sim-scheduler.ts";

/** What a follower is made of. */
export interface SimFollowerOptions {
  readonly scheduler: SimScheduler;
  readonly process: SimProcess;
  readonly core: Bus;
  readonly fates: LinkFates;
  readonly filter: SubjectFilter;
  readonly subscriber: Subscriber<Stored>;
}

/** One record on its way, numbered by the server from 1 on since the follower was attached. */
interface Delivery {
  readonly number: number;
  readonly stored: Stored;
}

/** After this long without a delivery the server says how far it is. */
const heartbeatMs = 500;

/**
 * The client's side of a `follow`, over a way that loses things. Deliveries are numbered: one that is missing, or an
 * interruption, is mended by asking again from the record after the last one. So its subscriber sees every record once and
 * in order, whatever is lost, doubled or late.
 */
export class SimFollower {
  readonly #options: SimFollowerOptions;
  #nextSeq: number;
  #attached: Attachment | null = null;

  constructor(options: SimFollowerOptions, fromSeq: number) {
    this.#options = options;
    this.#nextSeq = fromSeq;
  }

  /** Asks the server for what follows the last record. */
  attach(): void {
    this.detach();
    this.#attached = new Attachment(this.#options, this.#nextSeq, {
      next: (stored) => {
        this.#nextSeq = stored.seq + 1;
        this.#options.subscriber.next(stored);
      },
      onGap: () => this.attach(),
    });
  }

  /** What is on its way is lost. */
  detach(): void {
    this.#attached?.end();
    this.#attached = null;
  }

  /** The bus is closed. */
  complete(): void {
    this.detach();
    this.#options.subscriber.complete();
  }
}

interface Receiver {
  readonly next: (stored: Stored) => void;
  readonly onGap: () => void;
}

/** One subscription on the server, from one break to the next. */
class Attachment {
  readonly #options: SimFollowerOptions;
  readonly #receiver: Receiver;
  readonly #arriving: Delivery[] = [];
  readonly #subscription: Subscription;
  #sent = 0;
  #received = 0;
  #isOver = false;

  constructor(options: SimFollowerOptions, fromSeq: number, receiver: Receiver) {
    this.#options = options;
    this.#receiver = receiver;
    const { core, filter, subscriber } = options;
    this.#subscription = core.follow(filter, fromSeq).subscribe({
      next: (stored) => this.#send({ number: ++this.#sent, stored }),
      error: (error: unknown) => this.#later("end of follow", () => subscriber.error(error)),
      complete: () => this.#later("end of follow", () => subscriber.complete()),
    });
  }

  end(): void {
    this.#isOver = true;
    this.#subscription.unsubscribe();
  }

  #send(delivery: Delivery): void {
    const { isDropped, isDoubled, ms } = this.#options.fates.delivery();
    if (isDropped) {
      // Another one may come and show the gap; if none does, the heartbeat will.
      this.#later("heartbeat", () => this.#expect(delivery.number), heartbeatMs);
      return;
    }
    for (let copies = isDoubled ? 2 : 1; copies > 0; copies--) {
      this.#arriving.push(delivery);
      this.#later(`deliver ${delivery.stored.seq}`, () => this.#take(this.#arriving.shift()), ms);
    }
  }

  #take(delivery: Delivery | undefined): void {
    if (delivery === undefined || delivery.number <= this.#received) return;
    if (!this.#expect(delivery.number - 1)) return;
    this.#received = delivery.number;
    this.#receiver.next(delivery.stored);
  }

  /** Whether all up to this number has come; if not, it is asked for again. */
  #expect(number: number): boolean {
    if (this.#received >= number) return true;
    this.#receiver.onGap();
    return false;
  }

  #later(label: string, run: () => void, ms = this.#options.fates.delivery().ms): void {
    const { scheduler, process } = this.#options;
    scheduler.schedule(() => void (this.#isOver || run()), ms, { process, label });
  }
}
