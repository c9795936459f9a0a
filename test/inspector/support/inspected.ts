import { createTeamSystem, type TeamSystem } from "../../../src/index.ts";
import type { TeamSystemOptions } from "../../../src/actors/system/team-system-options.ts";
import {
  createService,
  listen,
  type Listening,
  type ServiceOptions,
  type TeamService,
} from "../../../src/service/index.ts";

/** A system with a service that can be started anew at the same address. */
export interface Inspected extends AsyncDisposable {
  readonly system: TeamSystem;
  /** The address, with its token. */
  readonly url: string;
  /** Ends the service, not the system. */
  stop(): Promise<void>;
  /** Ends every connection, and takes none until `mend`; the service goes on. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Starts it at the port that it had. */
  start(options?: ServiceOptions): Promise<void>;
}

/** Starts a system and its service on 127.0.0.1. */
export async function inspected(
  options: Partial<TeamSystemOptions> = {},
  service: ServiceOptions = {},
): Promise<Inspected> {
  const system = await createTeamSystem({ environment: {}, ...options });
  const token = "a".repeat(43);
  let port = 0;
  let made: TeamService | null = null;
  let listening: Listening | null = null;
  const mend = async (): Promise<void> => {
    if (made === null) return;
    listening = await listen(made, { port });
    ({ port } = listening);
  };
  const cut = async (): Promise<void> => {
    await listening?.close();
    listening = null;
  };
  const start = async (more: ServiceOptions = {}): Promise<void> => {
    made = createService(system, { auth: { token }, heartbeatMs: 500, ...service, ...more });
    await mend();
  };
  const stop = async (): Promise<void> => {
    await made?.close();
    made = null;
    await cut();
  };
  await start();
  return {
    system,
    url: `http://127.0.0.1:${port}/#token=${token}`,
    start,
    stop,
    cut,
    mend,
    async [Symbol.asyncDispose]() {
      await stop();
      await system.close();
    },
  };
}

/** Function agents that do nothing until they are told to: `finish` and `fail` by the member's name. */
export function heldAgents() {
  const open = new Map<string, { resolve: (result: { summary: string }) => void; reject: (fault: Error) => void }>();
  return {
    open,
    run: ({ name, signal }: { readonly name: string; readonly signal: AbortSignal }) =>
      new Promise<{ summary: string }>((resolve, reject) => {
        open.set(name, { resolve, reject });
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
      }),
    finish: (name: string) => open.get(name)?.resolve({ summary: `${name} is done` }),
    fail: (name: string) => open.get(name)?.reject(new Error(`${name} broke`)),
  };
}
