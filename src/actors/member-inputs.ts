import type { Mail, MemberRecord } from "../machines/index.ts";
import type { Workspace, WorkspaceView } from "../tools/workspace/index.ts";
import type { UpstreamResult } from "./agent.ts";
import type { FunctionInputs } from "./function-run.ts";
import type { SessionRuntime } from "./session-runtime.ts";
import { upstreamsOf } from "./upstreams-of.ts";

/** What the run of a function agent may ask its session for. Nothing is read before it is asked. */
export class MemberInputs implements FunctionInputs {
  readonly #runtime: SessionRuntime;
  readonly #member: MemberRecord;
  readonly #workspace: Workspace | null;
  readonly team: string;

  constructor(runtime: SessionRuntime, member: MemberRecord, workspace: Workspace | null) {
    this.#runtime = runtime;
    this.#member = member;
    this.#workspace = workspace;
    this.team = runtime.state.team?.name ?? "";
  }

  get prompt(): string {
    return this.#member.prompt;
  }

  workspace(): WorkspaceView | null {
    return this.#workspace?.for(this.#member.name) ?? null;
  }

  upstream(): readonly UpstreamResult[] {
    return upstreamsOf(this.#runtime, this.#member).map(({ name, summary, paths }) => ({
      name,
      summary: summary ?? "",
      paths,
    }));
  }

  unread(): readonly Mail[] {
    return this.#runtime.state.members.get(this.#member.token)?.unread ?? [];
  }

  contentOf(mail: Mail): string {
    return this.#runtime.contentOf(mail);
  }
}
