import { readTeamFile } from "../../../src/cli/read-team-file.ts";
import { call } from "../../support/sessions.ts";
import { effectTool, type KilledTeam, membersOf } from "./killed-team.ts";

const { script, lead } = await readTeamFile("test/cases/failure-replan.team.yaml");
const entries = [...(script ?? [])].map(([name, own]) => [name, name === "B" ? [call("once"), ...own] : own] as const);

/** Every member of the file is of this type. */
const toWorker = (text: string): string => text.replaceAll('"agentType":"general"', '"agentType":"worker"');

/** Maps of a parsed file, as they were written. */
const asWritten = (_key: string, value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);

/** The failure-and-replan team of test/cases, with a tool that leaves an effect in the middle of one member's work. */
export const failureAndReplan: KilledTeam = {
  script: JSON.parse(toWorker(JSON.stringify(Object.fromEntries(entries), asWritten))),
  options: (parts) => ({ agents: { worker: { model: "scripted", tools: { once: effectTool(parts, "once") } } } }),
  lead: { model: "scripted" },
  prompt: lead?.prompt ?? "",
  isOver: (session) => session.answer !== null && session.alive.runs === 0,
  outcome: (session) => ({ answer: session.answer, members: membersOf(session) }),
};
