import { expect } from "vitest";
import type { Bus } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import type { OpenSessionOptions, Session } from "../../../src/index.ts";
import { checkRecording } from "../../../src/testing/index.ts";
import { keepLines } from "../../support/record-session.ts";
import { startSystem } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type SystemOptions = NonNullable<Parameters<typeof startSystem>[0]>;
type Tests = Awaited<ReturnType<typeof startSystem>>;

/** A session that is run for real and held against the model. */
export interface RecordedCase {
  readonly system?: SystemOptions;
  readonly open?: OpenSessionOptions;
  readonly run: (session: Session, tests: Tests, bus: Bus) => Promise<unknown>;
  /** What the path holds, and what it holds beyond the moves that checks explore. */
  readonly path: readonly string[];
  readonly beyond?: readonly string[];
}

/** Runs a session, records it, and expects its recording to be a path of the model that holds these moves. */
export async function expectPath({ system = {}, open = {}, run, path, beyond = [] }: RecordedCase): Promise<void> {
  const bus = memoryBus();
  await using tests = await startSystem({ bus, workspace: temporaryFolder(), ...system });
  const sink = keepLines();
  const session = await tests.open({ ...open, onOpen: async (opened) => void (await opened.record(sink)) });
  await run(session, tests, bus);
  await session.close();
  const found = await checkRecording(sink.lines);
  expect(found.problems).toEqual([]);
  expect(found.path).toEqual(expect.arrayContaining([...path, "the session is closed"]));
  expect(found.beyond).toEqual(expect.arrayContaining([...beyond]));
}
