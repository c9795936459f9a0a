import { createTeamSystem, type defineAgent, type Session } from "../../../src/index.ts";
import type { ScriptInput } from "../../../src/protocol/script.ts";
import { createVirtualClock, type VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { keepLines } from "../../support/record-session.ts";
import { call, complete, one, until } from "../../support/sessions.ts";

/** Records what a session does from its first input on. */
export async function recordTeam(
  options: {
    readonly id?: string;
    readonly script?: ScriptInput;
    readonly agents?: Record<string, ReturnType<typeof defineAgent>>;
  },
  play: (session: Session, clock: VirtualClock) => Promise<void>,
): Promise<string[]> {
  const { id = "night-watch", script, agents = {} } = options;
  const sink = keepLines();
  const clock = createVirtualClock(1_750_000_000_000);
  await using system = await createTeamSystem({
    clock,
    environment: {},
    agents,
    ...(script === undefined ? {} : { script }),
  });
  const session = await system.openSession({ id, onOpen: async (opened) => void (await opened.record(sink)) });
  await play(session, clock);
  // Closing a session dissolves its team: what is looked at is how it stood before.
  const lines = [...sink.lines];
  await session.close();
  return lines;
}

/** A team that got stuck: Ann failed, Bob delivered, the Reporter waits for both, and the Editor for the Reporter. */
export const stuckTeam = (): Promise<string[]> =>
  recordTeam(
    {
      script: {
        Ann: [{ error: "context_length" }],
        Bob: [
          call("team_send_message", { to: "Reporter", content: "Two findings so far." }),
          complete("Two findings."),
        ],
      },
    },
    async (session) => {
      await session.createTeam({
        name: "Night watch",
        members: [
          one("Ann"),
          one("Bob", { description: "Reads the logs." }),
          one("Reporter", { dependsOn: ["Ann", "Bob"] }),
          one("Editor", { dependsOn: ["Reporter"] }),
        ],
      });
      await until(() => session.status().state === "stalled");
    },
  );
