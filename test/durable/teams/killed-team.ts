import { appendFileSync } from "node:fs";
import { tool, type ToolSet } from "ai";
import type { OpenSessionOptions, Session, TeamSystemOptions } from "../../../src/index.ts";
import { anyInput } from "../../support/sessions.ts";
import type { Moments } from "../moments.ts";

/** What a team is made with: where it may die, and the file in which each execution of a tool leaves a line. */
export interface KilledParts {
  readonly moments: Moments;
  readonly effects: string;
}

/** A team that is killed again and again, as its host would write it: it finds how things stand and goes on from there. */
export interface KilledTeam {
  readonly script: NonNullable<TeamSystemOptions["script"]>;
  readonly options?: (parts: KilledParts) => Promise<Partial<TeamSystemOptions>> | Partial<TeamSystemOptions>;
  readonly lead?: OpenSessionOptions["lead"];
  /** The first thing that is said to the hosted lead. */
  readonly prompt?: string;
  /** What the host does whenever something has happened; it does it once, however often it is asked. */
  readonly act?: (session: Session) => Promise<unknown> | null;
  /** Whether there is nothing more to wait for. */
  readonly isOver: (session: Session) => boolean;
  /** What must be the same however often it was killed. */
  readonly outcome: (session: Session) => unknown;
}

/** A tool that leaves an effect, and may die before it, and between it and its result. */
export const effectTool = ({ moments, effects }: KilledParts, name: string): ToolSet[string] =>
  tool({
    inputSchema: anyInput,
    execute: (_input: unknown, { toolCallId }) => {
      moments.pass(`before the effect of ${name}`);
      appendFileSync(effects, `${name} ${toolCallId}\n`);
      moments.pass(`after the effect of ${name}`);
      return `done ${name}`;
    },
  });

/** How each member stands, as its host is shown it. */
export const membersOf = (session: Session): unknown =>
  session.status().members.map(({ name, status, presence, attempt, summary, unread, kind }) => ({
    name,
    status,
    presence,
    attempt,
    summary,
    unread,
    kind,
  }));

/** Letters with what became of them; no notices, which tell of what a lead happened to see. */
export const lettersOf = (session: Session): readonly string[] =>
  session
    .mail({ limit: 200 })
    .mail.filter(({ kind }) => kind !== "system" && kind !== "idle_notice" && kind !== "permission_request")
    .map(({ from, to, kind, state, content }) => `${from} > ${to} ${kind} ${state}: ${content}`)
    .toSorted();
