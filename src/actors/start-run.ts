import { taskStatuses, type DesiredRun, type MemberRecord } from "../machines/index.ts";
import { memberInstructions, rosterText, upstreamText } from "../tools/team/index.ts";
import { isTeamError } from "../errors/index.ts";
import type { WorkspaceView } from "../tools/workspace/index.ts";
import { agentOf } from "./agent-types.ts";
import { resolveAgentOptions, type AgentOptions, type GivenOptions } from "./agent-options.ts";
import { isFunctionAgent, type Agent, type AgentSource, type FunctionAgent, type ModelAgent } from "./agent.ts";
import { startFunction } from "./function-run.ts";
import { hasBoard } from "./has-board.ts";
import type { HostedLead } from "./hosted-lead.ts";
import { limitAttempt } from "./limit-attempt.ts";
import { MemberInputs } from "./member-inputs.ts";
import type { ModelPool } from "./model-pool.ts";
import { runModel } from "./model-run.ts";
import { isDraining, isPlanning, isWorking } from "./member-facts.ts";
import { ownTools } from "./own-tools.ts";
import { peersOf } from "./peers-of.ts";
import type { SessionGates } from "./permissions/session-gates.ts";
import type { Questions } from "./questions.ts";
import { resolveAgent } from "./resolve-agent.ts";
import type { StartedRun } from "./run-board.ts";
import { RunPort, type PortContext } from "./run-port.ts";
import { RunSignal } from "./run-signal.ts";
import { hostedLeadTools, memberTools, type ToolSources } from "./run-tools.ts";
import { runTraits, type RunTraits } from "./run-traits.ts";
import { attemptOf, type SessionRuntime } from "./session-runtime.ts";
import { runSubAgent } from "./sub-agent.ts";
import { TokenBudget, type CallBudget } from "./token-budget.ts";
import { tokensUsed } from "./tokens-used.ts";
import { failureText } from "./tool-calls.ts";
import { upstreamsOf } from "./upstreams-of.ts";

/** What runs of a session are made of. */
export interface RunSources extends ToolSources {
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly lead: HostedLead | null;
  readonly models: ModelPool;
  readonly questions: Questions;
  readonly gates: SessionGates;
}

const nudgeText =
  "You ended your turn without calling complete, so nobody has your result. If your task is done, call complete now; otherwise go on.";
/** Some providers refuse a message without text. */
const noPromptText =
  "Your task has no text of its own. Do what your role, your description and your upstreams' results ask for.";
const leadNudgeText = "Something changed in your team; look at team_status.";

/** Starts runs of one session. Never throws: a start that fails is that run's failure. */
export class RunStarter {
  readonly #sources: RunSources;
  #budget: TokenBudget | null = null;

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
      tasks: () => taskStatuses(runtime.state),
      mailLog: runtime.mail,
      isAskedToShutDown: () => isDraining(runtime, token),
      pathExists: async (path) => workspace === null || (await exists(workspace.for(member?.name ?? "Lead"), path)),
      answerOf: (call) => questions.takeAnswer(token, call),
    };
  }

  #startMember(runtime: SessionRuntime, member: MemberRecord, run: Run): StartedRun {
    const agent = this.#agentOf(runtime, member.agentType);
    const started = isFunctionAgent(agent)
      ? this.#startFunction(runtime, member, agent, run)
      : this.#startModel(runtime, member, agent, run);
    const { clock, config } = runtime.options;
    const { attemptMs } = config.limits;
    if (attemptMs === 0 || !isWorking(runtime, member.token)) return started;
    const onLate = (): void => {
      const reason = `budget: attemptMs: ${clock.now() - member.since} of ${attemptMs}`;
      // Whether it is stopped is for the state to say; one that can't be told of it is stopped otherwise.
      run.port.report({ type: "run.failed", reason }).catch(() => {});
    };
    return limitAttempt(started, { clock, ms: member.since + attemptMs - clock.now(), onLate });
  }

  /** The token budgets as an actor of this session meets them. */
  #budgetOf(runtime: SessionRuntime, token: string): CallBudget {
    this.#budget ??= new TokenBudget(runtime.options.config.limits);
    return this.#budget.for(() => tokensUsed(runtime.state, token));
  }

  #agentOf(runtime: SessionRuntime, type: string): Agent {
    return resolveAgent(type, agentOf(this.#sources.agents, type), runtime.options.config.limits);
  }

  /** How an agent type works under this session's lead, and the models for it. */
  #optionsOf(runtime: SessionRuntime, type: GivenOptions) {
    const { models, lead } = this.#sources;
    const { limits } = runtime.options.config;
    const options = resolveAgentOptions(lead, type, limits);
    const { fallbackModel } = options;
    return {
      ...options,
      resolve: () => models.ready(options.model),
      fallback: fallbackModel === null ? null : () => models.ready(fallbackModel),
      cap: { resultBytesMax: options.toolResultBytesMax, bodyBytesMax: limits.bodyBytesMax },
      onNote: (note: string): void => {
        if (models.isNews(note)) runtime.options.onFault(new Error(note));
      },
    };
  }

  #startFunction(runtime: SessionRuntime, member: MemberRecord, agent: FunctionAgent, run: Run): StartedRun {
    return startFunction(new MemberInputs(runtime, member, this.#sources), agent, run);
  }

  #startModel(runtime: SessionRuntime, member: MemberRecord, agent: ModelAgent, run: Run): StartedRun {
    const { port } = run;
    const gate = this.#sources.gates.ofMember(runtime, member, { agent, port });
    const upstream = upstreamText(upstreamsOf(runtime, member));
    const task = member.prompt.trim() === "" ? noPromptText : member.prompt;
    const { token } = member;
    return this.#run(runtime, run, {
      ...this.#optionsOf(runtime, agent),
      actor: member.name,
      instructions: memberInstructions({
        agentTypeText: agent.instructions ?? "",
        team: { name: runtime.state.team?.name ?? "", description: runtime.state.team?.description ?? null },
        member,
        peers: peersOf(runtime, member),
      }),
      tools: memberTools(this.#sources, {
        port,
        agent,
        gate,
        plans: member.snapshot.context.requirePlan,
        hasBoard: hasBoard(runtime),
      }),
      roster: () => rosterText(runtime.status(token, true), member.name),
      traits: runTraits(agent.tools, agent.idempotent),
      startedCalls: new Set(member.run.calls),
      gate,
      prompt: upstream === "" ? task : `${task}\n\n${upstream}`,
      nudge: nudgeText,
      attempt: member.snapshot.context.attempt,
      conversation: attemptOf(member),
      unread: () => runtime.state.members.get(token)?.unread ?? [],
      mayDeliver: () => isWorking(runtime, token) && !isPlanning(runtime, token),
      completeCall: member.run.completeCall,
    });
  }

  #startLead(runtime: SessionRuntime, run: Run): StartedRun {
    const { lead, workspace, gates } = this.#sources;
    const { port } = run;
    const { chunkMs } = runtime.options.config.limits;
    const tools = hostedLeadTools(this.#sources, {
      port,
      lead,
      answers: gates.leadAnswers,
      hasBoard: hasBoard(runtime),
      runSubAgent: (task, call) => {
        const agent = this.#agentOf(runtime, task.agentType);
        return runSubAgent(task, call, {
          ...this.#optionsOf(runtime, isFunctionAgent(agent) ? {} : agent),
          agent,
          toolsOf: (each) => ownTools(workspace, "Lead", each),
          gateOf: (each) => gates.ofSubAgent(task.agentType, each),
          chunkMs,
          budget: this.#budgetOf(runtime, "lead"),
          onAnswer: ({ usage, finish }) => port.report({ type: "run.answered", calls: 0, usage, finish }),
        });
      },
    });
    return this.#run(runtime, run, {
      ...this.#optionsOf(runtime, lead ?? {}),
      actor: "Lead",
      instructions: lead?.instructions ?? "",
      tools,
      roster: () => rosterText(runtime.status("lead", true)),
      traits: runTraits(lead?.tools, lead?.idempotent),
      startedCalls: new Set(runtime.state.lead.run.calls),
      gate: gates.ofLead(runtime, port),
      prompt: null,
      nudge: leadNudgeText,
      attempt: 0,
      conversation: 0,
      unread: () => runtime.state.lead.unread,
      mayDeliver: () => false,
      completeCall: null,
    });
  }

  #run(runtime: SessionRuntime, { desired, port, signal }: Run, own: OwnOptions): StartedRun {
    const { conversation, traits, ...rest } = own;
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
      budget: this.#budgetOf(runtime, actor),
      ...traits,
      journal: runtime.journals.of(actor, conversation),
      promptedAttempt: runtime.journals.promptedAttempt(actor),
      scriptPosition: () => runtime.journals.scriptPosition(actor),
      contentOf: (mail) => runtime.contentOf(mail),
      originsOf: (mail) => this.#sources.gates.originsOf(runtime, mail),
      onText: (delta) => runtime.publishText(actor, delta),
    });
    // Whoever created this run learns of a model that can't be had before anything else: with the reply.
    const failed = ready.then(
      () => undefined,
      () => done,
    );
    const abort = (reason: string): void => {
      signal.abort(reason);
      port.poke();
    };
    return { abort, poke: () => port.poke(), done, failed };
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
  | (keyof AgentOptions & keyof ModelRunOptions)
  | "actor"
  | "resolve"
  | "fallback"
  | "cap"
  | "onNote"
  | "roster"
  | "instructions"
  | "tools"
  | "gate"
  | "prompt"
  | "attempt"
  | "nudge"
  | "unread"
  | "mayDeliver"
  | "startedCalls"
  | "completeCall"
> & { readonly conversation: number; readonly traits: RunTraits };

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
