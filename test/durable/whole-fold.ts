import { deepStrictEqual } from "node:assert";
import { createTeamSystem, type Session } from "../../src/index.ts";
import { toCheckpoint } from "../../src/machines/index.ts";
import { busAt } from "../support/bus-at.ts";
import { type ChildPlan, sessionId } from "./killed-child.ts";

const checkpointKey = `default.session.${sessionId}`;

/** Everything that a session shows, and all that it is. */
const shownBy = (session: Session): unknown => {
  const { durationMs: _durationMs, ...result } = session.result();
  return JSON.parse(
    JSON.stringify({
      state: toCheckpoint(session.state),
      status: session.status(),
      result,
      mail: session.mail({ limit: 200 }),
      teams: session.teams({ dissolved: true }),
      pendingCalls: session.pendingCalls(),
      permissionRequests: session.permissionRequests(),
      questions: session.questions,
    }),
  );
};

/** A session that was found by its checkpoint and the rest of its log is the one that its whole log makes. */
export async function expectWholeFold({ path }: Pick<ChildPlan, "path">): Promise<void> {
  const bus = await busAt(path);
  const system = await createTeamSystem({ bus, environment: {} });
  const checkpoint = await bus.checkpoints.get(checkpointKey);
  // One that died at its very first inputs has none.
  if (checkpoint !== null) {
    const found = shownBy(await system.followSession(sessionId));
    await bus.checkpoints.delete(checkpointKey);
    const whole = shownBy(await system.followSession(sessionId));
    await bus.checkpoints.put(checkpointKey, checkpoint.value, 0);
    deepStrictEqual(found, whole);
  }
  await system.close();
  await bus.close();
}
