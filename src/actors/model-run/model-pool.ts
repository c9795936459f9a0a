import type { LanguageModel } from "ai";
import { TeamError } from "../../errors/index.ts";
import type { Price, Prices } from "../../protocol/prices.ts";
import type { Clock } from "../../protocol/clock.ts";
import { createCallLimiter, type CallLimiter, type CallLimiterState } from "../models/call-limiter.ts";
import type { LanguageModelV4 } from "../models/language-model-v4.ts";
import type { Environment } from "../models/model-keys.ts";
import { resolveModel, type ResolvedModel } from "../models/model-registry.ts";
import { withResponseTimeout } from "../models/response-timeout.ts";

/** What models are looked for in, and how many calls a key may have at once. */
export interface ModelPoolOptions {
  readonly environment: Environment;
  /** The model behind the name `scripted`, where the run has a script. */
  readonly scripted: LanguageModelV4 | null;
  /** For agents that name no model and have no lead to take it from. */
  readonly defaultModel: LanguageModel | null;
  readonly clock: Clock;
  readonly concurrentCallsMax: number;
  readonly prices: Prices;
  /** The limit of cost that is set, if one is: then no model is ready without a price. */
  readonly costLimit: "memberCostMax" | "teamCostMax" | null;
  /** A provider that says nothing for this long is given up as a network failure. */
  readonly responseMs: number;
}

/** A model ready to be called: limited with all others of its key, and watched for silence. */
export interface ReadyModel {
  readonly model: LanguageModelV4;
  /** The way to the model, to be printed; never a key. */
  readonly route: string;
  /** What its tokens cost; null where nobody said. */
  readonly price: Price | null;
  /** False when it would pass over an effort without a word. */
  readonly readsEffort: boolean;
  /** Whether it plays a script: then it has no context that could be full. */
  readonly isScripted: boolean;
}

/** What a Map and a WeakMap have in common. */
interface Table<Reference> {
  get(reference: Reference): Promise<ReadyModel> | undefined;
  set(reference: Reference, ready: Promise<ReadyModel>): unknown;
  delete(reference: Reference): boolean;
}

/** Notes that one system tells; models that factories make may have as many as there are runs. */
const toldMax = 1_000;

/** The models of one system: one limiter per provider key, whoever calls. */
export class ModelPool {
  readonly #options: ModelPoolOptions;
  readonly #limiters = new Map<string, CallLimiter>();
  /** By name, and by the model itself: one that a factory makes anew for each run is gone with its run. */
  readonly #named = new Map<string | null, Promise<ReadyModel>>();
  readonly #given = new WeakMap<Exclude<LanguageModel, string>, Promise<ReadyModel>>();

  readonly #told = new Set<string>();

  constructor(options: ModelPoolOptions) {
    this.#options = options;
  }

  /**
   * The model of an agent, its own or its lead's: undefined = the script's, else the system's default.
   * Rejects with `no_model_key`, `no_price`, `bad_input` or `disabled`.
   */
  ready(model: LanguageModel | undefined): Promise<ReadyModel> {
    const { scripted, defaultModel } = this.#options;
    const reference = model ?? (scripted === null ? defaultModel : "scripted");
    return typeof reference === "object" && reference !== null
      ? this.#remember(this.#given, reference)
      : this.#remember(this.#named, reference);
  }

  /** Whether this is said for the first time: what holds for every call is told once. */
  isNews(note: string): boolean {
    if (this.#told.has(note) || this.#told.size >= toldMax) return false;
    this.#told.add(note);
    return true;
  }

  /** What each limiter is doing. */
  limits(): ReadonlyMap<string, CallLimiterState> {
    return new Map([...this.#limiters].map(([key, limiter]) => [key, limiter.state()]));
  }

  close(): void {
    for (const limiter of this.#limiters.values()) limiter.close();
    this.#limiters.clear();
  }

  #remember<Reference extends LanguageModel | null>(
    known: Table<Reference>,
    reference: Reference,
  ): Promise<ReadyModel> {
    let ready = known.get(reference);
    if (ready === undefined) {
      ready = this.#make(reference);
      known.set(reference, ready);
      // A failure isn't remembered: the key may be there next time.
      ready.catch(() => known.delete(reference));
    }
    return ready;
  }

  async #make(reference: LanguageModel | null): Promise<ReadyModel> {
    const { environment, scripted, clock, responseMs } = this.#options;
    const resolved = await resolveModel(reference, { environment, scripted });
    const { model, route, limitKey, readsEffort = true } = resolved;
    const facts = { route, price: this.#priceOf(resolved), readsEffort, isScripted: model.provider === "scripted" };
    if (limitKey === null) return { model, ...facts };
    return { model: this.#limiterOf(limitKey).limit(withResponseTimeout(model, { responseMs, clock })), ...facts };
  }

  /** A model without a price is never taken to be free. */
  #priceOf({ names }: Pick<ResolvedModel, "names">): Price | null {
    const { prices, costLimit } = this.#options;
    const known = names.find((name) => prices.has(name));
    const price = known === undefined ? undefined : prices.get(known);
    if (price !== undefined) return price;
    if (costLimit === null) return null;
    // The last one is the shortest.
    throw new TeamError("no_price", {
      model: names.at(-1) ?? "",
      limit: costLimit,
      known: [...prices.keys()].slice(0, 50),
    });
  }

  #limiterOf(key: string): CallLimiter {
    let limiter = this.#limiters.get(key);
    if (limiter === undefined) {
      const { concurrentCallsMax, clock } = this.#options;
      limiter = createCallLimiter({ concurrentCallsMax, clock });
      this.#limiters.set(key, limiter);
    }
    return limiter;
  }
}
