import { tool } from "ai";
import { createAgent, pending, type FunctionRun, type Session } from "../../../src/index.ts";
import { anyInput, call, complete, one } from "../../support/sessions.ts";
import { effectTool, lettersOf, type KilledParts, type KilledTeam, membersOf } from "./killed-team.ts";

const question = "Was this decided before?";

/** Answers a letter, then says that it has dealt with it. */
const archivist = async ({ moments }: KilledParts) =>
  createAgent({
    name: "Archivist",
    description: "Knows what was decided before.",
    agent: {
      run: async ({ mail, prompt }: FunctionRun) => {
        for (const { handle } of await mail.take()) {
          moments.pass("between taking mail and acknowledging it");
          await mail.acknowledge(handle);
        }
        return { summary: `filed ${prompt}` };
      },
    },
  });

const hasLetter = (session: Session): boolean =>
  session.mail({ member: "Archivist" }).mail.some(({ kind }) => kind === "text");

function act(session: Session): Promise<unknown> | null {
  if (session.team === null) {
    return session.createTeam({ name: "T", members: [one("Ann", { agentType: "worker" })] });
  }
  const guest = session.member("Archivist");
  if (guest === null) return session.invite({ agent: "Archivist", prompt: "the case" });
  const [waits] = session.pendingCalls();
  if (waits !== undefined) return session.finishCall(waits.call, { result: "built" });
  if (guest.status !== "completed" || hasLetter(session)) return null;
  return session.sendMessage({ to: "Archivist", content: question });
}

/** What a host adds to a team: a hook that refuses a first draft, an invited agent, mail that is acknowledged, a call from outside. */
export const hostParts: KilledTeam = {
  script: { Ann: [call("job"), call("once"), complete("draft"), complete("final")] },
  options: async (parts) => {
    const { moments } = parts;
    const job = tool({ inputSchema: anyInput, execute: () => pending({ note: "the build" }) });
    return {
      agents: { worker: { model: "scripted", tools: { job, once: effectTool(parts, "once") } } },
      invitables: [await archivist(parts)],
      hooks: {
        onComplete: async ({ summary }) => {
          moments.pass("within a hook");
          await Promise.resolve();
          return summary === "draft" ? { block: "No drafts." } : null;
        },
        onMessage: () => moments.pass("within the hook of a message"),
      },
    };
  },
  act,
  isOver: (session) =>
    session.status().state === "finished" &&
    session.member("Archivist")?.presence === "idle" &&
    hasLetter(session) &&
    session.mail({ member: "Archivist", state: "acknowledged" }).total === 1,
  outcome: (session) => ({ members: membersOf(session), letters: lettersOf(session), teams: session.teams().length }),
};
