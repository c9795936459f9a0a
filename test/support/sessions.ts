import { jsonSchema, tool, type ToolSet } from "ai";
import { createTeamSystem, type OpenSessionOptions, type Session, type TeamSystem } from "../../src/index.ts";
import type { TeamSystemOptions } from "../../src/actors/system/team-system-options.ts";
import { createVirtualClock, type VirtualClock } from "../../src/testing/virtual-clock.ts";

/** A system with a clock of its own, and the faults that belonged to nobody's call. `await using` closes it. */
export interface TestSystem extends AsyncDisposable {
  readonly system: TeamSystem;
  readonly clock: VirtualClock;
  readonly faults: unknown[];
  open(options?: OpenSessionOptions): Promise<Session>;
}

/** Starts a system on a virtual clock, without any key in its environment. */
export async function startSystem(options: Partial<TeamSystemOptions> = {}): Promise<TestSystem> {
  const clock = createVirtualClock(1_000_000);
  const faults: unknown[] = [];
  const system = await createTeamSystem({
    clock,
    environment: {},
    onFault: (fault) => void faults.push(fault),
    ...options,
  });
  return {
    system,
    clock,
    faults,
    open: (session) => system.openSession(session),
    [Symbol.asyncDispose]: () => system.close(),
  };
}

const waitMsMax = 10_000;

/** Lets the event loop turn until `isTrue`; fails when it isn't in ten seconds. The session's clock stands still meanwhile. */
export async function until(isTrue: () => boolean, what = "this to become true"): Promise<void> {
  const from = performance.now();
  while (performance.now() - from < waitMsMax) {
    if (isTrue()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`waited ${waitMsMax} ms for ${what}`);
}

/** Lets everything that is under way go on. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The status of one member. */
export function member(session: Session, name: string) {
  const found = session.status().members.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no member ${name}`);
  return found;
}

/** Something that the test decides when to let go on. */
export const gate = <Value = void>() => Promise.withResolvers<Value>();

/** A member with the least that it needs. */
export const one = <const Name extends string>(name: Name, more: object = {}) => ({
  name,
  prompt: `Task of ${name}.`,
  ...more,
});

/** What `promise` rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`resolved with ${(JSON.stringify(value) ?? "nothing").slice(0, 300)}`);
    },
    (error: unknown) => error,
  );

/** Throws, where an expression is wanted. */
export const fail = (message: string): never => {
  throw new Error(message);
};

/** A callback that rejects, where one is expected that returns nothing. */
export const rejects: () => unknown = () => Promise.reject(new Error("later"));

/** A tool that takes anything. */
export const anyInput = jsonSchema<Record<string, unknown>>({ type: "object" });

/** A tool by which a test sees what a model has been shown so far: each call adds its messages to `shown`. */
export const lookTool = (shown: string[]): ToolSet[string] =>
  tool({
    inputSchema: anyInput,
    execute: (_input: unknown, { messages }) => {
      shown.push(JSON.stringify(messages));
      return "ok";
    },
  });

/** A script entry that calls one tool. */
export const call = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] });

/** A script entry that delivers. */
export const complete = (summary = "done") => call("complete", { summary, paths: [] });
