import type { Session } from "../../actors/session/session.ts";
import type { TeamSystem } from "../../actors/system/team-system-port.ts";
import { isTeamError } from "../../errors/index.ts";
import type { LiveSession } from "./live-session.ts";

/** Stored sessions that are listed, the newest ones; others are found by their name. */
const listedMax = 100;
/** Stored sessions that are held beside those, for whoever looks at them. */
const heldMax = 120;

/** What stored sessions are read with. */
export interface StoredOptions {
  readonly liveOf: (session: Session) => LiveSession;
  /** Told once of each session that can't be shown. */
  readonly onFault: (fault: unknown) => void;
}

/**
 * Sessions that a durable bus knows and nobody has open here: followed while somebody else may go on with them, else as
 * they ended. Nothing is read before somebody asks.
 */
export class StoredSessions {
  readonly #system: TeamSystem;
  readonly #options: StoredOptions;
  /** By their names, those that were asked for last at the end. */
  readonly #held = new Map<string, Promise<LiveSession>>();
  readonly #broken = new Set<string>();
  #isClosed = false;

  constructor(system: TeamSystem, options: StoredOptions) {
    this.#system = system;
    this.#options = options;
  }

  /** The newest ones, but for those that are open here. One that can't be read is told of and left out. */
  async list(isOpen: (id: string) => boolean): Promise<readonly LiveSession[]> {
    const known = await this.#known();
    for (const id of this.#held.keys()) if (!known.includes(id)) this.forget(id);
    const wanted = known.filter((id) => !isOpen(id)).slice(-listedMax);
    const found: LiveSession[] = [];
    for (const id of wanted) {
      const live = await this.#hold(id).catch((fault: unknown) => this.#tellOnce(id, fault));
      // It may have been opened here meanwhile; then it is among the others.
      if (live !== null && !isOpen(id)) found.push(live);
    }
    return found;
  }

  /** One of them; undefined when the bus has none of this name. Rejects when it can't be read. */
  async find(id: string): Promise<LiveSession | undefined> {
    if (!this.#held.has(id) && !(await this.#known()).includes(id)) return undefined;
    try {
      return await this.#hold(id);
    } catch (fault) {
      if (isTeamError(fault, "unknown_session")) return undefined;
      throw fault;
    }
  }

  /** Lets go of one: it is open here, or gone. */
  forget(id: string): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held
      ?.then(
        async (live) => {
          live.close();
          await live.session.close();
        },
        () => {
          // Whoever asked for it was told.
        },
      )
      .catch(this.#options.onFault);
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#held.keys()) this.forget(id);
  }

  async #known(): Promise<readonly string[]> {
    if (this.#system.bus === "memory" || this.#isClosed) return [];
    return this.#system.knownSessions();
  }

  #hold(id: string): Promise<LiveSession> {
    const held = this.#held.get(id) ?? this.#follow(id);
    this.#held.delete(id);
    this.#held.set(id, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > heldMax && oldest !== undefined) this.forget(oldest);
    return held;
  }

  #follow(id: string): Promise<LiveSession> {
    const following = this.#system.followSession(id).then(async (session) => {
      const live = this.#options.liveOf(session);
      // Nothing comes any more: what is known of it is kept, and it need not be followed.
      if (live.isClosed) await session.close();
      return live;
    });
    following.catch(() => this.#held.delete(id));
    return following;
  }

  #tellOnce(id: string, fault: unknown): null {
    if (!this.#broken.has(id)) this.#options.onFault(fault);
    this.#broken.add(id);
    return null;
  }
}
