import { call, complete, one } from "../../support/sessions.ts";
import { effectTool, lettersOf, type KilledTeam, membersOf } from "./killed-team.ts";

const again = "There is more to do.";

/**
 * A persistent member that waits for a permission while its lead looks (a long poll is open), delivers, idles, is woken by
 * mail and writes back to a lead whose turn has ended.
 */
export const permissionAndPoll: KilledTeam = {
  script: {
    Lead: [
      call("team_create", { name: "T", members: [one("Ann", { agentType: "worker", lifetime: "persistent" })] }),
      { waitFor: { Ann: "completed" } },
      call("team_send_message", { to: "Ann", content: again }),
      { text: "asked" },
      { text: "heard" },
      { text: "heard more" },
    ],
    Ann: [
      call("guarded"),
      complete("the first part"),
      call("once"),
      call("team_send_message", { to: "Lead", content: "All of it is done." }),
      { text: "rests" },
    ],
  },
  options: (parts) => ({
    agents: {
      worker: {
        model: "scripted",
        tools: { guarded: effectTool(parts, "guarded"), once: effectTool(parts, "once") },
        ask: ["guarded"],
      },
    },
  }),
  lead: { model: "scripted" },
  prompt: "go",
  act(session) {
    const [request] = session.permissionRequests();
    if (request === undefined || session.state.polls.length === 0) return null;
    return session.answerPermission({ request: request.id, approve: true });
  },
  isOver: (session) => {
    const [ann] = session.status().members;
    const letters = session.mail({ limit: 200 }).mail.filter(({ kind }) => kind === "text");
    return (
      ann?.presence === "idle" &&
      session.alive.runs === 0 &&
      letters.length === 2 &&
      letters.every(({ state }) => state === "delivered")
    );
  },
  outcome: (session) => ({ members: membersOf(session), letters: lettersOf(session) }),
};
