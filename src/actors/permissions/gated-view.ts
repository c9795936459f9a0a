import type { Workspace, WorkspaceLimits, WorkspaceView } from "../../tools/workspace/index.ts";
import { pathArgument } from "./tool-call-facts.ts";
import type { PermissionGate } from "./permission-gate.ts";

/** The files of a function agent: each operation is judged as the tool of the same kind would be. */
export class GatedView implements WorkspaceView {
  readonly member: string;
  readonly #workspace: Workspace;
  readonly #gate: PermissionGate;
  readonly #nextCall: () => string;

  constructor(
    member: string,
    workspace: Workspace,
    { gate, nextCall }: { readonly gate: PermissionGate; readonly nextCall: () => string },
  ) {
    this.member = member;
    this.#workspace = workspace;
    this.#gate = gate;
    this.#nextCall = nextCall;
  }

  get root(): string {
    return this.#workspace.root;
  }

  get limits(): WorkspaceLimits {
    return this.#workspace.limits;
  }

  async list(query: Parameters<WorkspaceView["list"]>[0] = {}): ReturnType<WorkspaceView["list"]> {
    const { path = ".", depth } = query;
    const judged = await this.#judge("list_files", { path, depth });
    return judged.view.list({ ...query, path: judged.path });
  }

  async read(path: string, range: Parameters<WorkspaceView["read"]>[1] = {}): ReturnType<WorkspaceView["read"]> {
    const { fromLine, lines } = range;
    const judged = await this.#judge("read_file", { path, fromLine, lines });
    return judged.view.read(judged.path, range);
  }

  async write(
    path: string,
    text: string,
    options: Parameters<WorkspaceView["write"]>[2] = {},
  ): ReturnType<WorkspaceView["write"]> {
    const judged = await this.#judge("write_file", { path, text });
    return judged.view.write(judged.path, text, options);
  }

  async search(query: Parameters<WorkspaceView["search"]>[0]): ReturnType<WorkspaceView["search"]> {
    const { pattern, path = ".", isRegex } = query;
    const judged = await this.#judge("search_text", { pattern, path, isRegex });
    return judged.view.search({ ...query, path: judged.path });
  }

  async #judge(tool: string, input: { readonly path: string } & Readonly<Record<string, unknown>>) {
    const judged = await this.#gate.judge({ call: this.#nextCall(), tool, input });
    if ("error" in judged) throw judged.error;
    const view = judged.view ?? this.#workspace.for(this.member);
    return { view, path: pathArgument(judged.input) };
  }
}
