import { TeamError } from "../../errors/index.ts";
import { worktreeOf, type MemberRecord } from "../../machines/index.ts";
import { endWithin } from "../runs/end-within.ts";
import type { Workspace } from "../../tools/workspace/index.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import type { Repository, Worktree } from "./repository.ts";
import type { WorktreeSource } from "./worktree-source.ts";

/** Where nobody is any more: such a member leaves its worktree. */
const away: ReadonlySet<string> = new Set(["parked", "shutdown"]);

/**
 * The worktrees of one session's members. A member has its own from the start of its first run until nobody is there: it is
 * completed, failed, cancelled or shut down. One in which nothing was changed is removed then, with its branch; another is
 * kept, and is the member's again when it is started anew. What is done stands in the log before it is done, so that the next
 * owner goes on with it.
 */
export class MemberWorktrees {
  readonly #source: WorktreeSource;
  readonly #session: string;
  readonly #onFault: (fault: unknown) => void;
  /** Of those that are in use, by token. */
  readonly #workspaces = new Map<string, Workspace>();
  /** Runs that may still write, by token. */
  readonly #runs = new Map<string, Set<Promise<unknown>>>();
  /** Tokens of those that are being left. */
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(source: WorktreeSource, session: string, onFault: (fault: unknown) => void) {
    this.#source = source;
    this.#session = session;
    this.#onFault = onFault;
  }

  /** The files of a member that is at work in a worktree; null for any other. */
  workspaceOf(token: string): Workspace | null {
    return this.#workspaces.get(token) ?? null;
  }

  /** A run of a member writes there until it is done. */
  use(token: string, done: Promise<unknown>): void {
    const runs = this.#runs.get(token) ?? new Set();
    this.#runs.set(token, runs.add(done));
    const end = (): void => {
      runs.delete(done);
      if (runs.size === 0 && this.#runs.get(token) === runs) this.#runs.delete(token);
    };
    done.then(end, end);
  }

  /** The member's worktree, made if it has none. Rejects with `isolation_unavailable`. */
  async prepare(runtime: SessionRuntime, { token, name }: MemberRecord): Promise<Workspace> {
    const repository = await this.#source.repository();
    return repository.alone(async () => {
      const known = worktreeOf(runtime.state, token);
      const worktree = known ?? (await repository.claim(this.#session, name, await repository.head()));
      try {
        if (known?.state !== "open") await this.#open(runtime, name, worktree);
        return await this.#enter(token, await repository.ensure(worktree));
      } catch (fault) {
        // What was there before stays, whatever became of it.
        if (known === undefined) await this.#giveUp(runtime, repository, { ...worktree, name });
        throw fault;
      }
    });
  }

  async #enter(token: string, root: string): Promise<Workspace> {
    const workspace = await this.#source.workspaceAt(root);
    const before = this.#workspaces.get(token);
    // Who goes on knows which versions of its files it has read.
    if (before?.root === workspace.root) return before;
    this.#workspaces.set(token, workspace);
    return workspace;
  }

  async #open(runtime: SessionRuntime, member: string, { branch, path, base }: Worktree): Promise<void> {
    const event = { type: "worktree.opened", member, branch, path, base } as const;
    const { verdict, why } = await runtime.owner.apply({ actor: "session", from: "system", event });
    if (verdict !== "handled") throw new TeamError("fenced", { reason: why ?? "the session has another owner" });
  }

  async #giveUp(
    runtime: SessionRuntime,
    repository: Repository,
    worktree: Worktree & { readonly name: string },
  ): Promise<void> {
    const kept = !(await this.#isRemoved(repository, worktree));
    await this.#close(runtime, { ...worktree, kept }).catch(this.#onFault);
  }

  async #close(
    { owner }: SessionRuntime,
    { name, branch, kept }: { readonly name: string; readonly branch: string; readonly kept: boolean },
  ): Promise<void> {
    const event = { type: "worktree.closed", member: name, branch, kept } as const;
    if (!owner.isClosed) await owner.apply({ actor: "session", from: "system", event });
  }

  /** A member may have moved: one that is not there any more leaves its worktree. */
  follow(runtime: SessionRuntime, token: string): void {
    const { worktrees } = runtime.state;
    if (worktrees.length === 0 || worktreeOf(runtime.state, token)?.state !== "open") return;
    if (this.#leaving.has(token) || !isAway(runtime, token)) return;
    const left = this.#leave(runtime, token)
      .catch(this.#onFault)
      .finally(() => {
        this.#leaving.delete(token);
        // It may have come back meanwhile, and gone again.
        if (!runtime.owner.isClosed && this.#workspaces.has(token)) this.follow(runtime, token);
      });
    this.#leaving.set(token, left);
  }

  /** All that are open here and belong to nobody who is there: for an owner that takes over. */
  followAll(runtime: SessionRuntime): void {
    for (const { token } of runtime.state.worktrees) this.follow(runtime, token);
  }

  /** Whether one of these members has gone and it is not known yet what becomes of its worktree. */
  areLeaving(runtime: SessionRuntime, tokens: readonly string[]): boolean {
    const { worktrees } = runtime.state;
    if (worktrees.length === 0) return false;
    return tokens.some((token) => worktreeOf(runtime.state, token)?.state === "open" && isAway(runtime, token));
  }

  /** Resolves when those of these members who have gone have left their worktrees. */
  async left(tokens: readonly string[]): Promise<void> {
    // Whoever goes by the same input as the caller comes may be followed after it.
    await Promise.resolve();
    await Promise.all(tokens.flatMap((token) => this.#leaving.get(token) ?? []));
  }

  /** Resolves when no worktree is being left. */
  async settled(): Promise<void> {
    while (this.#leaving.size > 0) await Promise.all(this.#leaving.values());
  }

  /** Everybody leaves, since the session ends; its runs are stopped. */
  async leaveAll(runtime: SessionRuntime): Promise<void> {
    await this.settled();
    const open = runtime.state.worktrees.filter(({ state }) => state === "open");
    await Promise.all(open.map(({ token }) => this.#leave(runtime, token, true).catch(this.#onFault)));
  }

  async #leave(runtime: SessionRuntime, token: string, forGood = false): Promise<void> {
    const { clock, config } = runtime.options;
    const isQuiet = await endWithin([...(this.#runs.get(token) ?? [])], { clock, ms: config.limits.graceMs });
    const repository = await this.#source.repository();
    await repository.alone(async () => {
      const worktree = worktreeOf(runtime.state, token);
      if (worktree?.state !== "open" || (!forGood && !isAway(runtime, token))) return;
      // What a run may still write to is not taken from under it.
      const kept = !isQuiet || !(await this.#isRemoved(repository, worktree));
      this.#workspaces.delete(token);
      const name = runtime.state.members.get(token)?.name ?? token;
      await this.#close(runtime, { name, branch: worktree.branch, kept });
    });
  }

  /** Whether it is gone, because nothing was changed in it. One that can't be judged stays. */
  async #isRemoved(repository: Repository, worktree: Worktree): Promise<boolean> {
    try {
      if (await repository.isChanged(worktree)) return false;
      await repository.remove(worktree);
      return true;
    } catch (fault) {
      this.#onFault(fault);
      return false;
    }
  }
}

function isAway({ state, facts }: SessionRuntime, token: string): boolean {
  const member = state.members.get(token);
  return member === undefined || away.has(facts.member(member.snapshot).presence);
}
