import type { LanguageModel, ToolSet } from "ai";
import type { DesiredRun, MemberRecord } from "../machines/index.ts";
import {
  leadTools,
  memberInstructions,
  planTools,
  teamTools,
  teamToolTraits,
  upstreamText,
  type TeamToolBlock,
} from "../tools/team/index.ts";
import type { ToolTraits } from "../tools/tool-traits.ts";
import { isTeamError } from "../errors/index.ts";
import { workspaceToolTraits, type Workspace, type WorkspaceView } from "../tools/workspace/index.ts";
import { isFunctionAgent, type Agent, type AgentSource, type FunctionAgent, type ModelAgent } from "./agent.ts";
import { startFunction } from "./function-run.ts";
import { MemberInputs } from "./member-inputs.ts";
import type { ModelPool } from "./model-pool.ts";
import { runModel } from "./model-run.ts";
import { leadOwnTools, ownTools } from "./own-tools.ts";
import { peersOf } from "./peers-of.ts";
import type { Questions } from "./questions.ts";
import { resolveAgent } from "./resolve-agent.ts";
import type { StartedRun } from "./run-board.ts";
import { RunPort, type PortContext } from "./run-port.ts";
import { RunSignal } from "./run-signal.ts";
import { attemptOf, type SessionRuntime } from "./session-runtime.ts";
import { runSubAgent } from "./sub-agent.ts";
import { failureText } from "./tool-calls.ts";
import { upstreamsOf } from "./upstreams-of.ts";

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
/** Some providers refuse a message without text. */
const noPromptText =
  "Your task has no text of its own. Do what your role, your description and your upstreams' results ask for.";
const leadNudgeText = "Something changed in your team; look at team_status.";

const traits = { ...teamToolTraits, ...workspaceToolTraits };
const namesWhere = (picks: (each: ToolTraits) => boolean): ReadonlySet<string> =>
  new Set(Object.entries(traits).flatMap(([name, each]) => (picks(each) ? [name] : [])));

/** Starts runs of one session. Never throws: a start that fails is that run's failure. */
export class RunStarter {
  readonly #sources: RunSources;
  readonly #idempotent = namesWhere((each) => each.idempotent);
  readonly #serial = namesWhere((each) => !each.concurrent);
  readonly #harmless = new Set([...namesWhere((each) => !each.sideEffects), "team_send_message", "submit_plan"]);

  constructor(sources: RunSources) {
    this.#sources = sources;
  }

  start(runtime: SessionRuntime, desired: DesiredRun): StartedRun {
    const signal = new RunSignal(runtime.options.onFault);
    const member = runtime.state.members.get(desired.actor);
    const port = new RunPort({
      owner: runtime.owner,
      token: desired.actor,
      caller: member?.name ?? "Lead",
      role: member === undefined ? "lead" : "member",
      run: desired.n,
      signal,
      context: () => this.context(runtime, member),
    });
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
      answerOf: (call) => questions.takeAnswer(token, call),
    };
  }

  #startMember(runtime: SessionRuntime, member: MemberRecord, run: Run): StartedRun {
    const agent = this.#agentOf(member.agentType);
    if (!isFunctionAgent(agent)) return this.#startModel(runtime, member, agent, run);
    return this.#startFunction(runtime, member, agent, run);
  }

  #agentOf(type: string): Agent {
    return resolveAgent(type, this.#sources.agents.get(type));
  }

  #startFunction(runtime: SessionRuntime, member: MemberRecord, agent: FunctionAgent, run: Run): StartedRun {
    return startFunction(new MemberInputs(runtime, member, this.#sources.workspace), agent, run);
  }

  #startModel(runtime: SessionRuntime, member: MemberRecord, agent: ModelAgent, run: Run): StartedRun {
    const { models, lead, block, workspace } = this.#sources;
    const { port } = run;
    const upstream = upstreamText(upstreamsOf(runtime, member));
    const task = member.prompt.trim() === "" ? noPromptText : member.prompt;
    const tools = {
      ...teamTools(port, block),
      ...ownTools(workspace, member.name, agent),
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
      prompt: upstream === "" ? task : `${task}\n\n${upstream}`,
      nudge: nudgeText,
      attempt: member.snapshot.context.attempt,
      conversation: attemptOf(member),
      unread: () => runtime.state.members.get(token)?.unread ?? [],
      isDraining: () => isDraining(runtime, token),
      isPlanning: () => isPlanning(runtime, token),
      completeCall: member.run.completeCall,
    });
  }

  #startLead(runtime: SessionRuntime, run: Run): StartedRun {
    const { lead, models, block, agentTypes, workspace } = this.#sources;
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
            toolsOf: (agent) => ownTools(workspace, "Lead", agent),
            stepsMax: runtime.options.config.limits.stepsMax,
            chunkMs: runtime.options.config.limits.chunkMs,
          }),
      }),
      ...leadOwnTools(workspace, lead?.tools ?? {}),
    };
    return this.#run(runtime, run, {
      actor: "Lead",
      resolve: () => models.ready(lead?.model, undefined),
      instructions: lead?.instructions ?? "",
      tools,
      ask: new Set(),
      prompt: null,
      nudge: leadNudgeText,
      attempt: 0,
      conversation: 0,
      unread: () => runtime.state.lead.unread,
      isDraining: () => false,
      isPlanning: () => false,
      completeCall: null,
    });
  }

  #run(runtime: SessionRuntime, { desired, port, signal }: Run, own: OwnOptions): StartedRun {
    const { conversation, ...rest } = own;
    const { actor } = desired;
    const ready = rest.resolve();
    const done = runModel({
      ...rest,
      resolve: () => ready,
      desired,
      port,
      signal: signal.signal,
      clock: runtime.options.clock,
      limits: runtime.options.config.limits,
      idempotent: this.#idempotent,
      serial: this.#serial,
      harmless: this.#harmless,
      journal: runtime.journals.of(actor, conversation),
      promptedAttempt: runtime.journals.promptedAttempt(actor),
      scriptPosition: () => runtime.journals.scriptPosition(actor),
      contentOf: (mail) => runtime.contentOf(mail),
      onText: (delta) => runtime.publishText(actor, delta),
    });
    // Whoever created this run learns of a model that can't be had before anything else: with the reply.
    const failed = ready.then(
      () => undefined,
      () => done,
    );
    return { abort: (reason) => signal.abort(reason), poke: () => {}, done, failed };
  }
}

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
  | "prompt"
  | "attempt"
  | "nudge"
  | "unread"
  | "isDraining"
  | "isPlanning"
  | "completeCall"
> & { readonly conversation: number };

function isDraining(runtime: SessionRuntime, token: string): boolean {
  const member = runtime.state.members.get(token);
  return member !== undefined && runtime.facts.member(member.snapshot).presence === "draining";
}

/** Whether its plan is still to be approved. */
function isPlanning(runtime: SessionRuntime, token: string): boolean {
  const context = runtime.state.members.get(token)?.snapshot.context;
  return context !== undefined && context.requirePlan && !context.planned;
}

/** Whether there is a file or folder. It isn't read: that would count as the caller's knowing what is in it. */
async function exists(view: WorkspaceView, path: string): Promise<boolean> {
  try {
    await view.list({ path, depth: 1 });
    return true;
  } catch (error) {
    if (isTeamError(error, "missing_path")) return false;
    throw error;
  }
}
