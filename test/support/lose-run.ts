import type { Bus } from "../../src/bus/bus.ts";
import type { Session } from "../../src/index.ts";

/** Says that the current run of an actor was lost, as an owner does who finds it without an outcome. */
export async function loseRun(bus: Bus, session: Session, actor: string): Promise<void> {
  const { epoch, lead, members } = session.state;
  const { snapshot } = actor === "lead" ? lead : (members.get(actor) ?? lead);
  const event = { type: "run.lost", run: snapshot.context.run, reason: "owner_lost: its process died" } as const;
  const input = { id: `lost-${actor}-${snapshot.context.run}`, at: 0, actor, from: "system", epoch, event };
  await bus.append({ subject: { namespace: "default", session: session.id, actor, sender: "system" }, input });
}
