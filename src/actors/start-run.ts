import type { LanguageModel, ToolSet } from "ai";
import type { DesiredRun, MemberRecord } from "../machines/index.ts";
import {
  leadTools,
  memberInstructions,
  memberToolNames,
  planTools,
  teamTools,
  teamToolTraits,
  upstreamText,
  type TeamToolBlock,
} from "../tools/index.ts";
import {
  createWorkspaceTools,
  workspaceToolTraits,
  type Workspace,
  type WorkspaceView,
} from "../tools/workspace/index.ts";
import { isFunctionAgent, type Agent, type AgentSource, type FunctionAgent, type ModelAgent } from "./agent.ts";
import { startFunction } from "./function-run.ts";
import type { ModelPool } from "./model-pool.ts";
import { runModel } from "./model-run.ts";
import type { Questions } from "./questions.ts";
import type { StartedRun } from "./run-board.ts";
import { RunPort, type PortContext } from "./run-port.ts";
import { RunSignal } from "./run-signal.ts";
import { attemptOf, type SessionRuntime } from "./session-runtime.ts";
import { runSubAgent } from "./sub-agent.ts";
import { failureText } from "./tool-calls.ts";

/** The lead that a session runs. */
export interface HostedLead {
  readonly model?: LanguageModel;
  readonly instructions?: string;
  /** Own tools beside those of the workspace, or names: then of the workspace's tools only these. */
  readonly tools?: ToolSet | readonly string[];
}

/** What runs of a session are made of. */
export interface RunSources {
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly agentTypes: readonly { readonly name: string; readonly description: string }[];
  readonly lead: HostedLead | null;
  readonly models: ModelPool;
  readonly block: TeamToolBlock;
  readonly workspace: Workspace | null;
  readonly questions: Questions;
}

const nudgeText =
  "You ended your turn without calling complete, so nobody has your result. If your task is done, call complete now; otherwise go on.";
const leadNudgeText = "Something changed in your team; look at team_status.";

const traits = { ...teamToolTraits, ...workspaceToolTraits };
const namesWhere = (picks: (each: { idempotent: boolean; concurrent: boolean }) => boolean): ReadonlySet<string> =>
  new Set(Object.entries(traits).flatMap(([name, each]) => (picks(each) ? [name] : [])));

/** Starts runs of one session. Never throws: a start that fails is that run's failure. */
export class RunStarter {
  readonly #sources: RunSources;
  readonly #idempotent = namesWhere((each) => each.idempotent);
  readonly #serial = namesWhere((each) => !each.concurrent);

  constructor(sources: RunSources) {
    this.#sources = sources;
  }

  start(runtime: SessionRuntime, desired: DesiredRun): StartedRun {
    const signal = new RunSignal();
    const member = runtime.state.members.get(desired.actor);
    const port = new RunPort(this.context(runtime, member), desired.n, signal);
    try {
      return member === undefined
        ? this.#startLead(runtime, { desired, port, signal })
        : this.#startMember(runtime, member, { desired, port, signal });
    } catch (error) {
      const failed = port.report({ type: "run.failed", reason: failureText(error).slice(0, 500) });
      return { abort: () => {}, poke: () => {}, done: failed, failed };
    }
  }

  /** The way of one actor to its session. */
  context(runtime: SessionRuntime, member: MemberRecord | undefined): PortContext {
    const { workspace, questions } = this.#sources;
    const token = member?.token ?? "lead";
    return {
      owner: runtime.owner,
      token,
      caller: member?.name ?? "Lead",
      role: member === undefined ? "lead" : "member",
      teamToken: () => runtime.state.team?.token ?? null,
      mailboxOf: (to) => runtime.mailboxOf(to),
      status: ({ member: name, changed }) => {
        const status = runtime.status(token, changed);
        return name === undefined ? status : { ...status, steps: runtime.journals.steps(runtime.mailboxOf(name)) };
      },
      pathExists: async (path) => workspace === null || (await exists(workspace.for(member?.name ?? "Lead"), path)),
      answerOf: (call) => questions.takeAnswer(call),
    };
  }

  #startMember(runtime: SessionRuntime, member: MemberRecord, run: Run): StartedRun {
    const agent = this.#agentOf(member.agentType);
    if (!isFunctionAgent(agent)) return this.#startModel(runtime, member, agent, run);
    return this.#startFunction(runtime, member, agent, run);
  }

  #agentOf(type: string): Agent {
    const source = this.#sources.agents.get(type) ?? {};
    return typeof source === "function" ? source() : source;
  }

  #startFunction(
    runtime: SessionRuntime,
    member: MemberRecord,
    agent: FunctionAgent,
    { port, signal }: Run,
  ): StartedRun {
    const { workspace } = this.#sources;
    const started = startFunction({
      agent,
      port,
      signal,
      team: runtime.state.team?.name ?? "",
      prompt: member.prompt,
      workspace: () => workspace?.for(member.name) ?? null,
      upstream: () =>
        upstreamsOf(runtime, member).map(({ name, summary, paths }) => ({ name, summary: summary ?? "", paths })),
      unread: () => runtime.state.members.get(member.token)?.unread ?? [],
      contentOf: (mail) => runtime.contentOf(mail),
    });
    return { abort: (reason) => signal.abort(reason), poke: () => started.poke(), done: started.done, failed: null };
  }

  #startModel(runtime: SessionRuntime, member: MemberRecord, agent: ModelAgent, run: Run): StartedRun {
    const { models, lead, block } = this.#sources;
    const { port } = run;
    const upstream = upstreamText(upstreamsOf(runtime, member));
    const tools = {
      ...teamTools(port, block),
      ...this.#ownTools(member.name, agent),
      ...(member.snapshot.context.requirePlan ? planTools(port) : {}),
    };
    const { token } = member;
    return this.#run(runtime, run, {
      actor: member.name,
      resolve: () => models.ready(agent.model, lead?.model),
      instructions: memberInstructions({
        agentTypeText: agent.instructions ?? "",
        team: { name: runtime.state.team?.name ?? "", description: runtime.state.team?.description ?? null },
        member,
        peers: peersOf(runtime, member),
      }),
      tools,
      ask: new Set(agent.ask ?? []),
      approver: agent.approver ?? "user",
      prompt: upstream === "" ? member.prompt : `${member.prompt}\n\n${upstream}`,
      nudge: nudgeText,
      attempt: attemptOf(member),
      unread: () => runtime.state.members.get(token)?.unread ?? [],
      isDraining: () => isDraining(runtime, token),
      completeCall: member.run.completeCall,
    });
  }

  #startLead(runtime: SessionRuntime, run: Run): StartedRun {
    const { lead, models, block, agentTypes } = this.#sources;
    const { port } = run;
    const tools = {
      ...teamTools(port, block),
      ...leadTools(port, {
        agentTypes,
        runSubAgent: (task, call) =>
          runSubAgent(task, call, {
            agent: this.#agentOf(task.agentType),
            models,
            leadModel: lead?.model,
            toolsOf: (agent) => this.#ownTools("Lead", agent),
            stepsMax: runtime.options.config.limits.stepsMax,
          }),
      }),
      ...this.#leadOwnTools(lead?.tools ?? {}),
    };
    return this.#run(runtime, run, {
      actor: "Lead",
      resolve: () => models.ready(lead?.model, undefined),
      instructions: lead?.instructions ?? "",
      tools,
      ask: new Set(),
      approver: "user",
      prompt: null,
      nudge: leadNudgeText,
      attempt: 0,
      unread: () => runtime.state.lead.unread,
      isDraining: () => false,
      completeCall: null,
    });
  }

  #run(runtime: SessionRuntime, { desired, port, signal }: Run, own: OwnOptions): StartedRun {
    const { attempt, ...rest } = own;
    const { actor } = desired;
    const done = runModel({
      ...rest,
      desired,
      port,
      signal: signal.signal,
      clock: runtime.options.clock,
      limits: runtime.options.config.limits,
      idempotent: this.#idempotent,
      serial: this.#serial,
      journal: runtime.journals.of(actor, attempt),
      scriptPosition: () => runtime.journals.scriptPosition(actor),
      contentOf: (mail) => runtime.contentOf(mail),
      onText: (delta) => runtime.publishText(actor, delta),
    });
    return { abort: (reason) => signal.abort(reason), poke: () => {}, done, failed: null };
  }

  /** The tools of an agent type beside the block: its own, or those of the workspace that it lists. */
  #ownTools(name: string, agent: ModelAgent | FunctionAgent): ToolSet {
    if (isFunctionAgent(agent)) return {};
    const allowExecute = agent.allowExecute ?? false;
    if (agent.tools === undefined) return this.#workspaceTools(name, allowExecute, null);
    if (!isNames(agent.tools)) return pick(agent.tools, memberToolNames(Object.keys(agent.tools)));
    return this.#workspaceTools(name, allowExecute, memberToolNames(agent.tools));
  }

  #leadOwnTools(tools: ToolSet | readonly string[]): ToolSet {
    if (isNames(tools)) return this.#workspaceTools("Lead", false, memberToolNames(tools));
    return { ...this.#workspaceTools("Lead", false, null), ...tools };
  }

  #workspaceTools(name: string, allowExecute: boolean, names: readonly string[] | null): ToolSet {
    const { workspace } = this.#sources;
    if (workspace === null) return {};
    const all: ToolSet = createWorkspaceTools({ workspace: workspace.for(name), allowExecute });
    const picked = names ?? Object.keys(all).filter((each) => each !== "execute" || allowExecute);
    return pick(all, picked);
  }
}

/** The named tools, in the order of the names. */
const pick = (tools: ToolSet, names: readonly string[]): ToolSet =>
  Object.fromEntries(names.flatMap((name) => (tools[name] === undefined ? [] : [[name, tools[name]]])));

const isNames = (tools: ToolSet | readonly string[]): tools is readonly string[] => Array.isArray(tools);

interface Run {
  readonly desired: DesiredRun;
  readonly port: RunPort;
  readonly signal: RunSignal;
}

type ModelRunOptions = Parameters<typeof runModel>[0];
type OwnOptions = Pick<
  ModelRunOptions,
  | "actor"
  | "resolve"
  | "instructions"
  | "tools"
  | "ask"
  | "approver"
  | "prompt"
  | "nudge"
  | "unread"
  | "isDraining"
  | "completeCall"
> & { readonly attempt: number };

function isDraining(runtime: SessionRuntime, token: string): boolean {
  const member = runtime.state.members.get(token);
  return member !== undefined && runtime.facts.member(member.snapshot).presence === "draining";
}

/** What a member's upstreams delivered, in the order of its declaration. */
function upstreamsOf(runtime: SessionRuntime, member: MemberRecord) {
  return member.dependsOn.flatMap((token) => {
    const upstream = runtime.state.members.get(token);
    if (upstream === undefined) return [];
    const result = runtime.resultOf(upstream);
    return [
      {
        name: upstream.name,
        status: runtime.facts.member(upstream.snapshot).work,
        summary: result?.summary ?? null,
        paths: result?.paths ?? [],
        reason: upstream.reason,
      },
    ];
  });
}

/** The others that a member may write to. */
function peersOf(runtime: SessionRuntime, member: MemberRecord) {
  const comms = runtime.state.team?.comms ?? "all";
  if (comms === "lead") return [];
  const near = new Set([...member.dependsOn, ...member.downstream]);
  return [...runtime.state.members.values()].filter(
    (peer) => peer.token !== member.token && (comms === "all" || near.has(peer.token)),
  );
}

async function exists(view: WorkspaceView, path: string): Promise<boolean> {
  try {
    await view.list({ path: path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".", depth: 1 });
    await view.read(path, { fromLine: 1, lines: 1 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "missing_path") return false;
    throw error;
  }
}
