import { z } from "zod";
import { TeamError } from "../../errors/index.ts";
import type { WorkState } from "../../protocol/reply.ts";
import { normalizeName, refuseName } from "../../protocol/names.ts";
import { openWorkspace, type Workspace } from "../../tools/workspace/index.ts";
import type { Agent } from "./agent.ts";
import { isObject } from "../is-object.ts";
import { parseOptions } from "../parse-options.ts";

/** What an agent with a life of its own is made of. */
export interface LivingAgentOptions {
  /** What it is called, in a team as well unless its inviter gives it another name. */
  readonly name: string;
  /** What it is good for: leads choose by this. */
  readonly description: string;
  /**
   * How it works: its model, instructions, tools, options and permissions, or a function. It inherits nothing from the lead
   * that invites it.
   */
  readonly agent: Agent;
  /** Its own folder; left out = none, and no workspace tools. The team's workspace is not its. */
  readonly workspace?: string;
  /** Whether it may be invited; a function is asked for each session and each invitation. Left out = yes. */
  readonly invitable?: boolean | ((to: { readonly session: string }) => boolean);
  /**
   * Whose teams it remembers when it joins one: those of the same `session` (left out), of `all` sessions, or of `none`.
   * What `remember` told it, it knows everywhere.
   */
  readonly remembers?: "session" | "all" | "none";
  /** How many teams it remembers, the latest ones. Left out = 20. */
  readonly memoriesMax?: number;
}

/** A team that it is in. */
export interface AgentTeam {
  readonly session: string;
  readonly team: string;
  /** Its name there. */
  readonly name: string;
}

/** A team that it was in, as it remembers it. */
export interface AgentMemory extends AgentTeam {
  /** When it left, in ms of the clock of its session. */
  readonly at: number;
  readonly task: string;
  readonly status: WorkState;
  /** What it delivered, or null. */
  readonly summary: string | null;
}

const OptionsShape = z.strictObject({
  name: z.string(),
  description: z.string().min(1, "say what it is good for: leads choose by it").max(2_000),
  agent: z.custom<Agent>(isObject, "expected an agent, as defineAgent takes it"),
  workspace: z.string().min(1).optional(),
  invitable: z
    .custom<boolean | (() => boolean)>(
      (value) => typeof value === "boolean" || typeof value === "function",
      "expected true, false or a function",
    )
    .optional(),
  remembers: z.enum(["session", "all", "none"]).optional(),
  memoriesMax: z.int().min(0).max(1_000).optional(),
});

const memoriesDefault = 20;
const notesMax = 100;
const noteCharsMax = 2_000;
const shownCharsMax = 600;

/**
 * Makes an agent that exists before any team and outlives it: give it to `createTeamSystem({ invitables })` of one system
 * or several, and leads may invite it. Rejects with `bad_input`, `bad_name` or `reserved_name` for options that can't be, and
 * with `missing_path` for a workspace that is not there.
 */
export async function createAgent(options: LivingAgentOptions): Promise<LivingAgent> {
  parseOptions(OptionsShape, options, "createAgent");
  const problem = refuseName(normalizeName(options.name), { reserved: true });
  if (problem !== null) throw TeamError.from(problem);
  const workspace = options.workspace === undefined ? null : await openWorkspace({ root: options.workspace });
  return new OwnAgent(options, workspace);
}

/** An agent with a life of its own. Teams borrow it; whatever becomes of them, it goes on. */
export interface LivingAgent {
  readonly name: string;
  readonly description: string;
  /** Teams that it is in now, of all sessions. */
  readonly teams: readonly AgentTeam[];
  /** Teams that it was in, the latest last. */
  readonly memories: readonly AgentMemory[];
  /** From now on it may be invited or not. Teams that it is in keep it. */
  setInvitable(invitable: NonNullable<LivingAgentOptions["invitable"]>): void;
  /**
   * Tells it something that it knows in every team that it joins from now on: 1 to 2,000 characters, else `bad_input`. The
   * latest 100 notes are kept.
   */
  remember(note: string): void;
}

/** A living agent as the sessions that borrow it know it. */
export class OwnAgent implements LivingAgent {
  readonly name: string;
  readonly description: string;
  /** How it works. */
  readonly agent: Agent;
  /** Its own files, or null. */
  readonly workspace: Workspace | null;
  readonly #remembers: "session" | "all" | "none";
  readonly #memoriesMax: number;
  #invitable: NonNullable<LivingAgentOptions["invitable"]>;
  readonly #teams = new Map<string, AgentTeam>();
  #memories: readonly AgentMemory[] = [];
  #notes: readonly string[] = [];

  /** Use `createAgent`, which checks what it is given. */
  constructor(options: LivingAgentOptions, workspace: Workspace | null) {
    this.name = normalizeName(options.name);
    this.description = options.description;
    this.agent = { ...options.agent };
    this.workspace = workspace;
    this.#invitable = options.invitable ?? true;
    this.#remembers = options.remembers ?? "session";
    this.#memoriesMax = options.memoriesMax ?? memoriesDefault;
  }

  get teams(): readonly AgentTeam[] {
    return [...this.#teams.values()];
  }

  get memories(): readonly AgentMemory[] {
    return this.#memories;
  }

  setInvitable(invitable: NonNullable<LivingAgentOptions["invitable"]>): void {
    parseOptions(OptionsShape.pick({ invitable: true }), { invitable }, "setInvitable");
    this.#invitable = invitable;
  }

  remember(note: string): void {
    if (typeof note !== "string" || note.trim() === "" || note.length > noteCharsMax) {
      throw new TeamError("bad_input", { what: "note", problem: `expected a text of 1 to ${noteCharsMax} characters` });
    }
    this.#notes = [...this.#notes, note].slice(-notesMax);
  }

  /** Whether this session may invite it now. Throws what the host's function throws. */
  offersTo(session: string): boolean {
    // A host without types may answer anything, such as a promise: only yes is yes.
    const answer: unknown = typeof this.#invitable === "function" ? this.#invitable({ session }) : this.#invitable;
    return answer === true;
  }

  /** What it knows when it joins a team of this session, as text for its first turn; "" for nothing. */
  recall(session: string): string {
    const known = this.#memories.filter(
      (each) => this.#remembers === "all" || (this.#remembers === "session" && each.session === session),
    );
    const lines = [...this.#notes, ...known.map(memoryText)].map((each) => `- ${each}`);
    return lines.length === 0 ? "" : `What you remember from before this team:\n${lines.join("\n")}`;
  }

  /** It is in this team from now on. */
  join(key: string, team: AgentTeam): void {
    this.#teams.set(key, team);
  }

  /** It is out of that team, which it remembers if it worked for it. */
  leave(key: string, memory: Omit<AgentMemory, keyof AgentTeam> | null): void {
    const team = this.#teams.get(key);
    if (team === undefined) return;
    this.#teams.delete(key);
    if (memory === null || this.#memoriesMax === 0) return;
    this.#memories = [...this.#memories, { ...team, ...memory }].slice(-this.#memoriesMax);
  }
}

const short = (text: string): string =>
  text.length <= shownCharsMax ? text : `${text.slice(0, shownCharsMax).toWellFormed()}...`;

function memoryText({ team, name, task, status, summary }: AgentMemory): string {
  const what = task.trim() === "" ? "you answered questions" : `your task was: ${short(task)}`;
  const outcome = summary === null ? `It ended ${status}.` : `You delivered: ${short(summary)}`;
  return `In the team "${team}", as ${name}, ${what}. ${outcome}`;
}
