import { call, complete, one } from "../../support/sessions.ts";
import { effectTool, type KilledTeam, membersOf } from "./killed-team.ts";

const team = {
  name: "Release",
  board: { selfClaim: true, onOwnerGone: "release" as const },
  tasks: [
    { subject: "Write the parser", priority: 2, agentType: "builder" },
    { subject: "Write the printer", agentType: "builder" },
    { subject: "Test both", dependsOn: [1, 2], assignee: "Tess" },
  ],
  members: [
    one("Ann", { agentType: "builder" }),
    one("Tess", { agentType: "tester", lifetime: "persistent" as const }),
  ],
};

/** Two members and a board: one claims what is open until there is nothing left, the other is woken for what waited for that. */
export const taskBoard: KilledTeam = {
  script: {
    Ann: [
      call("team_task_claim"),
      call("once"),
      call("team_task_update", { task: 1, status: "completed", note: "Parses all of it." }),
      call("team_task_claim"),
      complete("parser and printer"),
    ],
    Tess: [
      complete("ready"),
      call("team_task_claim"),
      call("team_task_update", { task: 3, status: "completed", note: "Both work." }),
      { text: "Done." },
    ],
  },
  options: (parts) => {
    const builder = { model: "scripted" as const, tools: { once: effectTool(parts, "once") } };
    return { agents: { builder, tester: { ...builder, description: "Tests what was built." } } };
  },
  act: (session) => (session.team === null ? session.createTeam(team) : null),
  isOver: (session) => session.status().state === "finished" && session.status().members[1]?.presence === "idle",
  outcome: (session) => ({
    members: membersOf(session),
    tasks: session.board.list().map(({ task, status, owner, note }) => ({ task, status, owner, note })),
  }),
};
