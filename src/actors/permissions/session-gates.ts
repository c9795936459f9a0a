import type { Mail, MemberRecord } from "../../machines/index.ts";
import { LEAD } from "../../protocol/names.ts";
import {
  narrowPermissions,
  sessionLayer,
  type PermissionLayers,
} from "../../protocol/permissions/permission-layers.ts";
import type { PermissionPolicy } from "../../protocol/permissions/permission-policy.ts";
import { workspaceToolTraits, type Workspace } from "../../tools/workspace/index.ts";
import { isFunctionAgent, type Agent, type AgentSource } from "../agents/agent.ts";
import { askPermission } from "./ask-permission.ts";
import type { HostedLead } from "../agents/hosted-lead.ts";
import { isPlanning } from "../runs/member-facts.ts";
import { isToolNames } from "../agents/own-tools.ts";
import type { RunPort } from "../runs/run-port.ts";
import { attemptOf } from "../session/session-projections.ts";
import type { SessionRuntime } from "../session/session-runtime.ts";
import { taskChain, type Chain } from "./origins.ts";
import { PermissionGate } from "./permission-gate.ts";
import type { KnownTools } from "./tool-call-facts.ts";

/** Where a session's rights come from. */
export interface RightsSources {
  readonly permissions: PermissionPolicy | undefined;
  /** The policy of the session's owner, where that is another system: its rights hold beside those of this one. */
  readonly ownerPermissions?: PermissionPolicy | undefined;
  readonly lead: HostedLead | null;
  /** Whether anybody leads: a model that we run, or a loop of the host's. */
  readonly hasLead: boolean;
  readonly agents: ReadonlyMap<string, AgentSource>;
  readonly workspace: Workspace | null;
}

const workspaceNames: ReadonlySet<string> = new Set(Object.keys(workspaceToolTraits));

/** Makes the gates of one session: what the Lead, its sub-agents and its members may do. */
export class SessionGates {
  readonly #sources: RightsSources;
  readonly #lead: PermissionLayers;
  /** Whether the Lead has a tool to answer requests by. */
  readonly leadAnswers: boolean;

  constructor(sources: RightsSources) {
    this.#sources = sources;
    const { permissions, ownerPermissions, lead, agents } = sources;
    const policy = lead?.permissions;
    const own = policy === undefined ? undefined : { ...policy, overrideLeadMode: policy.mode !== undefined };
    const everybody = [ownerPermissions, permissions].filter((each) => each !== undefined).map(sessionLayer);
    const session = everybody.length === 0 ? [sessionLayer(undefined)] : everybody;
    this.#lead = narrowPermissions(session, { of: "the Lead", policy: own });
    const approvers = [
      permissions?.approver,
      ownerPermissions?.approver,
      policy?.approver,
      ...[...agents.values()].map(approverOf),
    ];
    this.leadAnswers = lead !== null && approvers.includes("lead");
  }

  ofLead(runtime: SessionRuntime, port: RunPort): PermissionGate {
    const { lead, workspace } = this.#sources;
    const isOwn = lead?.tools !== undefined && !isToolNames(lead.tools);
    return new PermissionGate({
      actor: LEAD,
      layers: this.#lead,
      answering: null,
      workspace,
      // A lead's own tools stand beside the workspace's, and none is called like one of them.
      known: { workspace: workspaceNames, readOnly: new Set(isOwn ? lead.readOnly : []) },
      isPlanning: () => false,
      hasLeftExplore: () => false,
      ask: (request) => askPermission(port, request, this.#chains(runtime, port)),
    });
  }

  ofMember(
    runtime: SessionRuntime,
    member: MemberRecord,
    { agent, port, workspace }: { readonly agent: Agent; readonly port: RunPort; readonly workspace: Workspace | null },
  ): PermissionGate {
    const { token, name, agentType, invited } = member;
    return new PermissionGate({
      actor: name,
      layers: invited === null ? this.#layersOf(agentType, agent) : this.#layersOfInvited(agentType, agent),
      answering: this.leadAnswers ? this.#lead : null,
      workspace,
      known: knownTools(agent),
      isPlanning: () => isPlanning(runtime, token),
      hasLeftExplore: () => runtime.journals.hasLeftExplore(token, attemptOf(member)),
      ask: (request) => askPermission(port, request, this.#chains(runtime, port)),
    });
  }

  ofSubAgent(agentType: string, agent: Agent): PermissionGate {
    return new PermissionGate({
      actor: LEAD,
      layers: this.#layersOf(agentType, agent),
      answering: null,
      workspace: this.#sources.workspace,
      known: knownTools(agent),
      isPlanning: () => false,
      hasLeftExplore: () => false,
      ask: null,
    });
  }

  /** The ways on which mail came to whoever is about to read it. */
  originsOf(runtime: SessionRuntime, mail: readonly Mail[]): readonly Chain[] {
    const task = taskChain(this.#sources.hasLead);
    return runtime.journals.origins.ofMail(mail, { tokenOf: (name) => runtime.mailboxOf(name), task });
  }

  #chains(runtime: SessionRuntime, { token, caller }: RunPort): readonly Chain[] {
    const task = token === "lead" ? (["user"] as const) : taskChain(this.#sources.hasLead);
    return [task, ...runtime.journals.origins.of(token)].map((chain) => [...chain, caller]);
  }

  /**
   * An invited agent inherits nothing from the lead: its own policy holds, and of the session's what holds for everybody,
   * without the directories of a folder that is not its.
   */
  #layersOfInvited(name: string, { permissions, ask = [] }: Agent): PermissionLayers {
    const everybody = { ...sessionLayer(this.#sources.permissions), directories: null };
    const own =
      permissions === undefined ? undefined : { overrideLeadMode: permissions.mode !== undefined, ...permissions };
    return narrowPermissions([everybody], { of: `the agent "${name}"`, policy: own, ask });
  }

  #layersOf(agentType: string, { permissions, ask = [] }: Agent): PermissionLayers {
    return narrowPermissions(this.#lead, { of: `the agent type "${agentType}"`, policy: permissions, ask });
  }
}

/** A factory isn't called for it: it may fail, and that is a run's business. */
const approverOf = (source: AgentSource) => (typeof source === "function" ? undefined : source.permissions?.approver);

function knownTools(agent: Agent): KnownTools {
  const { tools, readOnly = [] } = agent;
  // A function reaches the workspace by its view, whatever its own tools are called.
  const isOwn = tools !== undefined && !isToolNames(tools) && !isFunctionAgent(agent);
  return { workspace: isOwn ? new Set() : workspaceNames, readOnly: new Set(readOnly) };
}
