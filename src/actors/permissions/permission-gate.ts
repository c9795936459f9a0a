import { isTeamError, TeamError, toolRefusalText } from "../../errors/index.ts";
import { decidePermission, type PermissionDecision } from "../../protocol/permissions/decide-permission.ts";
import {
  canLeaveExplore,
  isUnruled,
  judgesPaths,
  leaveExplore,
  type PermissionLayers,
} from "../../protocol/permissions/permission-layers.ts";
import type { PermissionCall } from "../../protocol/permissions/permission-call.ts";
import type { Permit, PermitRequest } from "../../tools/permit.ts";
import { teamToolTraits } from "../../tools/team/index.ts";
import type { Workspace, WorkspaceView } from "../../tools/workspace/index.ts";
import type { AskAnswer, AskRequest } from "./ask-permission.ts";
import { hostName } from "./host-name.ts";
import { commandOf, effectOf, pathArgument, worksOnPath, type KnownTools } from "./tool-call-facts.ts";

/** Team tools run in every mode: an actor that may not speak or deliver could only end in silence. */
const teamTools: ReadonlySet<string> = new Set(Object.keys(teamToolTraits));

/** One call of a tool. */
export interface GatedCall {
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
  /** An own tool, whatever it is called; left out, the names of the actor's tools say so. */
  readonly isOwn?: boolean;
}

/** A call that may run, as it was judged. */
export interface PassedCall {
  readonly input: unknown;
  /** The files as this call may reach them: what was judged and nothing else. Null = no file was judged. */
  readonly view: WorkspaceView | null;
  /** What whoever approved said, or null. */
  readonly note: string | null;
}

/** A call that may not. */
export interface DeniedCall {
  /** The result of the call, for a model. */
  readonly text: string;
  /** Why, without what to do. */
  readonly reason: string;
  /** The same for a program. */
  readonly error: TeamError;
}

function denial(tool: string, reason: string, next: string): DeniedCall {
  const error = new TeamError("permission_denied", { tool, reason });
  return { reason, text: `PERMISSION_DENIED: ${tool} was NOT executed: ${reason}. Do: ${next}.`, error };
}

/** Whose calls are judged, and by what. */
export interface GateOptions {
  readonly actor: string;
  readonly layers: PermissionLayers;
  /** The rights of the Lead that may answer for the user; null when there is none that could. */
  readonly answering: PermissionLayers | null;
  readonly workspace: Workspace | null;
  readonly known: KnownTools;
  /** Whether its plan is still to be approved. */
  readonly isPlanning: () => boolean;
  /** Whether somebody has let it out of explore mode. */
  readonly hasLeftExplore: () => boolean;
  /** How it asks; null for who can't be answered. */
  readonly ask: ((request: AskRequest) => Promise<AskAnswer>) | null;
}

const none: ReadonlySet<string> = new Set();

const goOn = "Go on without it, or tell the Lead what you need";

/** What is held back until a plan is approved. */
const unplanned: PermissionDecision = { verdict: "deny", why: "your plan is not approved yet" };

/**
 * The one door that every call of a tool goes through: of models, of functions, of sub-agents. It judges what is really
 * reached (paths after all links), asks when it must, and hands back what may be executed.
 */
export class PermissionGate {
  readonly #options: GateOptions;
  #asked = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The rights as they are now. */
  get #layers(): PermissionLayers {
    const { layers, hasLeftExplore } = this.#options;
    return canLeaveExplore(layers) && hasLeftExplore() ? leaveExplore(layers) : layers;
  }

  /** Whether this actor could be let out of explore mode. */
  get mayLeaveExplore(): boolean {
    return canLeaveExplore(this.#layers);
  }

  /** Whether nothing is ever judged. */
  get isOpen(): boolean {
    return isUnruled(this.#layers) && !this.#options.isPlanning();
  }

  /** Judges a call, and asks if it must. */
  async judge(given: GatedCall): Promise<PassedCall | DeniedCall> {
    if (this.isOpen || teamTools.has(given.tool)) return { input: given.input, view: null, note: null };
    try {
      const call = await this.#readCall(given);
      const decision = this.#decide(call);
      if (decision.verdict === "deny") return this.#denied(call.tool, decision);
      if (decision.verdict === "allow") return this.#passed(call, { approved: false, note: null });
      const answer = await this.#ask("tool", given.call, call);
      return "error" in answer ? answer : this.#passed(call, { approved: true, note: answer.note });
    } catch (error) {
      // A path that leads out of the workspace, or to nothing that can be: the tool would say the same.
      if (isTeamError(error)) {
        return { text: error.problems.map(toolRefusalText).join("\n"), reason: error.message, error };
      }
      throw error;
    }
  }

  /** Whether a call may run without asking; for what was begun before and is to be done once more. */
  async mayRepeat(given: GatedCall): Promise<boolean> {
    if (this.isOpen || teamTools.has(given.tool)) return true;
    try {
      return this.#decide(await this.#readCall(given)).verdict === "allow";
    } catch (error) {
      if (isTeamError(error)) return false;
      throw error;
    }
  }

  /** A tool asks in the middle of its work. Resolves when it may, and rejects with `permission_denied`. */
  async permit(request: PermitRequest, by: Pick<GatedCall, "call" | "tool">): Promise<Permit> {
    if (request.kind !== "network") {
      throw new TeamError("bad_input", { what: "kind", problem: "a tool can ask for network, and nothing else" });
    }
    const host = hostName(request.host);
    if (this.isOpen) return { note: null };
    const call: PermissionCall = { kind: "network", tool: by.tool, effect: "other", host, input: { host } };
    const decision = this.#decide(call);
    if (decision.verdict === "allow") return { note: null };
    const denied = decision.verdict === "deny" ? this.#denied(`${by.tool} to ${host}`, decision) : null;
    const answer = denied ?? (await this.#ask("network", by.call, call));
    if ("error" in answer) throw answer.error;
    return answer;
  }

  /** Asks to be let out of explore mode. */
  async leaveExplore(reason: string, call: string): Promise<Permit | DeniedCall> {
    const upper = this.#layers.slice(0, -1);
    if (upper.some((layer) => layer.mode === "deny"))
      return denial("leave_explore_mode", "nobody is to be asked", goOn);
    const mode = upper.at(-1)?.mode ?? "open";
    return this.#ask("mode", call, { kind: "tool", tool: mode, effect: "read", input: { reason } });
  }

  /** The call as it will be executed: its own copy of the arguments, with the path that is really meant. */
  async #readCall({ tool, input: given, isOwn = false }: GatedCall): Promise<PermissionCall> {
    const { workspace } = this.#options;
    const known = isOwn ? { ...this.#options.known, workspace: none } : this.#options.known;
    const input: unknown = structuredClone(given);
    const effect = effectOf(known, tool);
    const base = { kind: "tool", tool, effect, input } as const;
    if (worksOnPath(known, tool)) {
      if (workspace === null || !judgesPaths(this.#layers)) return base;
      const path = await workspace.locate(pathArgument(input), { mayCreate: tool === "write_file" });
      return { ...base, path, input: { ...(typeof input === "object" ? input : {}), path } };
    }
    const command = commandOf(known, tool, input);
    return command === undefined ? base : { ...base, command };
  }

  #decide(call: PermissionCall, layers: PermissionLayers = this.#layers): PermissionDecision {
    const decision = decidePermission(layers, call);
    // What is denied anyway is so with a plan, too: who is told to submit one would do it for nothing.
    const isHeldBack = decision.verdict !== "deny" && call.kind === "tool" && call.effect !== "read";
    return isHeldBack && this.#options.isPlanning() ? unplanned : decision;
  }

  #denied(tool: string, decision: PermissionDecision): DeniedCall {
    const { why } = decision;
    if (decision === unplanned) return denial(tool, why, "Submit it with submit_plan, and wait for the answer");
    return denial(tool, why, this.mayLeaveExplore ? "Go on without it, or ask with leave_explore_mode" : goOn);
  }

  #passed(
    { input, path }: PermissionCall,
    answer: { readonly approved: boolean; readonly note: string | null },
  ): PassedCall {
    const { workspace } = this.#options;
    const isJudged = workspace !== null && path !== undefined;
    return { input, view: isJudged ? this.#view(workspace, answer.approved) : null, note: answer.note };
  }

  /** The files that may be seen; `approved`: somebody has said so for what would be asked. */
  #view(workspace: Workspace, approved: boolean): WorkspaceView {
    const layers = this.#layers;
    return workspace.for(this.#options.actor, {
      shows: (tool, path) => {
        const { verdict } = this.#decide({ kind: "tool", tool, effect: "read", path, input: {} }, layers);
        return verdict === "allow" || (approved && verdict === "ask");
      },
    });
  }

  async #ask(kind: AskRequest["kind"], id: string, call: PermissionCall): Promise<Permit | DeniedCall> {
    const { ask, answering, layers } = this.#options;
    if (ask === null) {
      const why = "it needs a permission, and a sub-agent can't ask for one";
      return denial(call.tool, why, "Say what is needed in your answer");
    }
    const mayLead = layers.at(-1)?.approver === "lead" && answering !== null;
    // The Lead gives away nothing that it has not: what it would have to ask for itself is for the user.
    const approver = mayLead && decidePermission(answering, call).verdict === "allow" ? "lead" : "user";
    this.#asked += 1;
    const { denied, note } = await ask({
      kind,
      id: kind === "tool" ? id : `${id}:${kind}:${this.#asked}`,
      call: id,
      tool: call.tool,
      input: call.input,
      target: targetOf(call),
      approver,
    });
    if (denied === null) return { note };
    return denial(call.tool, note === null || note === "" ? denied : `${denied} (${note})`, goOn);
  }
}

/** What rules are matched against, for whoever answers. */
const targetOf = ({ path, command, host }: PermissionCall): string | null =>
  path ?? host ?? command?.words?.join(" ") ?? null;
