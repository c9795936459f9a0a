import { taskStatuses, worktreeOf, type DesiredRun, type MemberRecord } from "../../machines/index.ts";
import type { Workspace } from "../../tools/workspace/index.ts";
import { startLate } from "../worktrees/start-late.ts";
import { memberInstructions, rosterText, upstreamText } from "../../tools/team/index.ts";
import { agentOf } from "../agents/agent-types.ts";
import { resolveAgentOptions, type GivenOptions } from "../agents/agent-options.ts";
import { goesOn } from "./goes-on.ts";
import { isFunctionAgent, type Agent, type AgentSource, type FunctionAgent, type ModelAgent } from "../agents/agent.ts";
import { startFunction } from "../function-run/function-run.ts";
import { hasBoard } from "../session/has-board.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";
import { limitAttempt } from "./limit-attempt.ts";
import { memberHome, type MemberHome } from "./member-home.ts";
import { MemberInputs } from "./member-inputs.ts";
import { taskOf } from "./member-task.ts";
import type { ModelPool } from "../model-run/model-pool.ts";
import { runModel } from "../model-run/model-run.ts";
import { isDraining, isPlanning, isWorking } from "./member-facts.ts";
import { leadNudgeText, nudgeText } from "./nudge-texts.ts";
import type { OwnOptions } from "../model-run/own-run-options.ts";
import { ownTools } from "../agents/own-tools.ts";
import { pathExists } from "./path-exists.ts";
import { peersOf } from "./peers-of.ts";
import type { SessionGates } from "../permissions/session-gates.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { StartedRun } from "./run-board.ts";
import { runHooks } from "../hooks/run-hooks.ts";
import { RunPort, type PortContext, type RunLine } from "./run-port.ts";
import { RunSignal } from "./run-signal.ts";
import { hostedLeadTools, memberTools, type ToolSources } from "./run-tools.ts";
import { runTraits } from "./run-traits.ts";
import { attemptOf } from "../session/session-projections.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { runSubAgent } from "./sub-agent.ts";
import { SessionBudget, type CallBudget } from "../model-run/call-budget.ts";
import { spentBy } from "./spent-by.ts";
import { nearTimeLimit, nearTurnsMax, timeLimits } from "./turn-limits.ts";
import { budgetReason } from "../model-run/model-caller.ts";
import { publishText } from "./text-stream.ts";
import type { RunTracing } from "../telemetry/run-tracing.ts";
import { failureText } from "../model-run/tool-calls.ts";
import { upstreamsOf } from "./upstreams-of.ts";

/** What runs of a session are made of. */
export interface RunSources extends ToolSources {
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly lead: HostedLead | null;
  readonly models: ModelPool;
  readonly gates: SessionGates;
  readonly tracing: RunTracing;
}

/** Starts runs of one session. Never throws: a start that fails is that run's failure. */
export class RunStarter {
  readonly #sources: RunSources;
  #budget: SessionBudget | null = null;

  constructor(sources: RunSources) {
    this.#sources = sources;
  }

  /** `line` = how a run that is carried out for another owner reaches the log; left out = it is this owner's. */
  start(
    runtime: SessionRuntime,
    desired: DesiredRun,
    line: RunLine = { log: runtime.owner, k: 0, by: "" },
  ): StartedRun {
    const signal = new RunSignal(runtime.options.onFault);
    const member = runtime.state.members.get(desired.actor);
    const { tracing } = this.#sources;
    const trace = tracing.start(runtime, desired, member);
    const port = new RunPort({
      trace,
      ...line,
      owner: runtime.owner,
      token: desired.actor,
      caller: member?.name ?? "Lead",
      role: member === undefined ? "lead" : "member",
      run: desired.n,
      signal,
      context: () => this.context(runtime, member),
    });
    try {
      const run = { desired, port, signal };
      const started = member === undefined ? this.#startLead(runtime, run) : this.#startMember(runtime, member, run);
      if (trace !== null) tracing.end(trace, runtime, desired.actor, started);
      return started;
    } catch (error) {
      trace?.end(failureText(error));
      const failed = port.report({ type: "run.failed", reason: failureText(error).slice(0, 500) });
      return { abort: () => {}, poke: () => {}, done: failed, failed };
    }
  }

  /** The way of one actor to its session. */
  context(runtime: SessionRuntime, member: MemberRecord | undefined): PortContext {
    const { questions, invitations, worktrees } = runtime.options;
    const token = member?.token ?? "lead";
    const isGuest = member !== undefined && member.invited !== null;
    const workspace = (): Workspace | null =>
      isGuest ? invitations.agentOf(member).workspace : (worktrees.workspaceOf(token) ?? this.#sources.workspace);
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
      pathExists: async (path) => {
        const view = workspace()?.for(member?.name ?? "Lead");
        return view === undefined || (await pathExists(view, path));
      },
      answerOf: (call) => questions.answerOf(token, call),
      invitation: (spec) => invitations.eventOf(spec, true),
    };
  }

  #startMember(runtime: SessionRuntime, member: MemberRecord, run: Run): StartedRun {
    const home = memberHome(this.#sources, runtime, member);
    const { agent } = home;
    run.port.useHooks(runHooks(runtime, member.token, agent.hooks));
    // What upstreams have left where is a part of the task.
    const isLate = home.isIsolated || runtime.options.worktrees.areLeaving(runtime, member.dependsOn);
    const startAt = (now: MemberRecord, { agent: its, ...at }: MemberHome): StartedRun =>
      isFunctionAgent(its)
        ? this.#startFunction(runtime, now, { ...at, agent: its }, run)
        : this.#startModel(runtime, now, { ...at, agent: its }, run);
    const started = isLate ? startLate({ runtime, member, home, ...run }, startAt) : startAt(member, home);
    const { clock } = runtime.options;
    const [first] = timeLimits(runtime, member).toSorted((a, b) => a.leftMs - b.leftMs);
    if (first === undefined) return started;
    const onLate = (): void => {
      const reason = budgetReason(first.limit, Math.max(first.max, clock.now() - first.sinceMs), first.max);
      // Whether it is stopped is for the state to say; one that can't be told of it is stopped otherwise.
      run.port.report({ type: "run.failed", reason }).catch(() => {});
    };
    return limitAttempt(started, { clock, ms: first.leftMs, onLate });
  }

  /** The token budgets as an actor of this session meets them. */
  #budgetOf(runtime: SessionRuntime, token: string): CallBudget {
    this.#budget ??= new SessionBudget(runtime.options.config.limits);
    return this.#budget.for(() => spentBy(runtime.state, token));
  }

  #agentOf(runtime: SessionRuntime, type: string): Agent {
    return resolveAgent(type, agentOf(this.#sources.agents, type), runtime.options.config.limits);
  }

  /** How an agent type works under this session's lead, and the models for it. */
  #optionsOf(runtime: SessionRuntime, type: GivenOptions, lead = this.#sources.lead) {
    const { models } = this.#sources;
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

  #startFunction(runtime: SessionRuntime, member: MemberRecord, home: Home<FunctionAgent>, run: Run): StartedRun {
    const { gates } = this.#sources;
    return startFunction(new MemberInputs(runtime, member, { ...home, gates }), home.agent, run);
  }

  #startModel(runtime: SessionRuntime, member: MemberRecord, home: Home<ModelAgent>, run: Run): StartedRun {
    const { port } = run;
    const { agent, workspace, lead, knows } = home;
    const gate = this.#sources.gates.ofMember(runtime, member, { agent, port, workspace });
    const upstream = upstreamText(upstreamsOf(runtime, member));
    const task = [knows, taskOf(member)].filter((part) => part !== "").join("\n\n");
    const { token } = member;
    return this.#run(runtime, run, {
      ...this.#optionsOf(runtime, agent, lead),
      actor: member.name,
      instructions: memberInstructions({
        agentTypeText: agent.instructions ?? "",
        team: { name: runtime.state.team?.name ?? "", description: runtime.state.team?.description ?? null },
        member,
        peers: peersOf(runtime, member),
        isInvited: member.invited !== null,
        branch: home.isIsolated ? (worktreeOf(runtime.state, token)?.branch ?? null) : null,
      }),
      tools: memberTools(
        { ...this.#sources, workspace },
        { port, agent, gate, plans: member.snapshot.context.requirePlan, hasBoard: hasBoard(runtime) },
      ),
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
      nearTime: () => nearTimeLimit(runtime, token),
      nearTurns: () => nearTurnsMax(runtime, token),
    });
  }

  #startLead(runtime: SessionRuntime, run: Run): StartedRun {
    const { lead, workspace, gates } = this.#sources;
    const { port } = run;
    port.useHooks(runHooks(runtime, "lead", undefined));
    const { chunkMs } = runtime.options.config.limits;
    const tools = hostedLeadTools(this.#sources, {
      port,
      lead,
      answers: gates.leadAnswers,
      invitable: runtime.options.invitations.offered(),
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
          trace: port.trace,
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
      nearTime: () => null,
      nearTurns: () => false,
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
      goesOn: goesOn(runtime, desired),
      scriptPosition: () => runtime.journals.scriptPosition(actor),
      contentOf: (mail) => runtime.contentOf(mail),
      originsOf: (mail) => this.#sources.gates.originsOf(runtime, mail),
      onText: (delta) => publishText(runtime, actor, desired.n, delta),
    });
    // Whoever created this run learns of a model that can't be had before anything else: with the reply.
    const failed = ready.then(
      () => undefined,
      () => done,
    );
    return { abort: (reason) => port.abort(reason), poke: () => port.poke(), done, failed };
  }
}

type Home<Kind extends Agent> = MemberHome & { readonly agent: Kind };

interface Run {
  readonly desired: DesiredRun;
  readonly port: RunPort;
  readonly signal: RunSignal;
}
