import type { Mail, MemberRecord } from "../../machines/index.ts";
import type { TeamCommand } from "../../tools/port.ts";
import type { Workspace, WorkspaceView } from "../../tools/workspace/index.ts";
import type { FunctionAgent, UpstreamResult } from "../agents/agent.ts";
import type { FunctionInputs } from "../function-run/function-run.ts";
import type { OpenShutdown } from "../function-run/function-shutdown.ts";
import { isDraining, isWorking } from "./member-facts.ts";
import { GatedView } from "../permissions/gated-view.ts";
import type { PermissionGate } from "../permissions/permission-gate.ts";
import type { SessionGates } from "../permissions/session-gates.ts";
import type { RunPort } from "./run-port.ts";
import { memberBoard } from "../session/session-board.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import type { TakenMailItem } from "../mail/taken-mail.ts";
import type { MemberBoard } from "../session/task-board.ts";
import { upstreamsOf } from "./upstreams-of.ts";

const isShutdownRequest = ({ notice }: Mail): boolean => notice === "shutdown_requested";

/** What the run of a function agent may ask its session for. Nothing is read before it is asked. */
export class MemberInputs implements FunctionInputs {
  readonly #runtime: SessionRuntime;
  readonly #member: MemberRecord;
  readonly #workspace: Workspace | null;
  readonly #gates: SessionGates;
  readonly #taken: readonly TakenMailItem[];
  readonly team: string;

  constructor(
    runtime: SessionRuntime,
    member: MemberRecord,
    { workspace, gates }: { readonly workspace: Workspace | null; readonly gates: SessionGates },
  ) {
    this.#gates = gates;
    this.#runtime = runtime;
    this.#member = member;
    this.#workspace = workspace;
    this.team = runtime.state.team?.name ?? "";
    this.#taken = [...runtime.taken.of(member.token)];
  }

  get leftOpen(): readonly string[] {
    return this.#member.run.calls;
  }

  get prompt(): string {
    return this.#member.prompt;
  }

  workspace(gate: PermissionGate, nextCall: () => string): WorkspaceView | null {
    const { name } = this.#member;
    if (this.#workspace === null) return null;
    return new GatedView(name, this.#workspace, { gate, nextCall });
  }

  gate(agent: FunctionAgent, port: RunPort): PermissionGate {
    return this.#gates.ofMember(this.#runtime, this.#member, { agent, port, workspace: this.#workspace });
  }

  heard(mail: readonly Mail[]): readonly (readonly string[])[] {
    const origins = this.#gates.originsOf(this.#runtime, mail);
    // Not only when it comes back from the log: what the function does next is judged by it.
    this.#runtime.journals.origins.add(this.#member.token, origins);
    return origins;
  }

  readAgain(): readonly TakenMailItem[] {
    return this.#taken;
  }

  upstream(): readonly UpstreamResult[] {
    return upstreamsOf(this.#runtime, this.#member).map(({ name, summary, paths, worktree }) => ({
      name,
      summary: summary ?? "",
      paths,
      ...(worktree === null ? {} : { worktree }),
    }));
  }

  board(port: RunPort, idOf: (command: TeamCommand) => string, signal: AbortSignal): MemberBoard | null {
    if ((this.#runtime.state.team?.board ?? null) === null) return null;
    return memberBoard(this.#runtime, (command) => port.command(command, { toolCallId: idOf(command), signal }));
  }

  /** A request to shut down is answered by `onShutdown`, and is no message to the function. */
  unread(): readonly Mail[] {
    const unread = this.#runtime.state.members.get(this.#member.token)?.unread ?? [];
    return unread.some(isShutdownRequest) ? unread.filter((mail) => !isShutdownRequest(mail)) : unread;
  }

  isWorking(): boolean {
    return isWorking(this.#runtime, this.#member.token);
  }

  openShutdown(): OpenShutdown | null {
    const { token, name } = this.#member;
    const member = this.#runtime.state.members.get(token);
    if (member === undefined || !isDraining(this.#runtime, token)) return null;
    const asked = member.unread.find(isShutdownRequest);
    const { refused, run } = member.snapshot.context;
    const request = { name, team: this.team, from: asked?.from ?? "system", reason: asked?.reason ?? null };
    return { id: 2 * run + (refused ? 1 : 0), request: { ...request, isFinal: refused } };
  }

  onFault(fault: unknown): void {
    this.#runtime.options.onFault(fault);
  }

  contentOf(mail: Pick<Mail, "body">): string {
    return this.#runtime.contentOf(mail);
  }
}
