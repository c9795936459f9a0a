import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Bus } from "../../src/bus/bus.ts";
import { sqliteBus } from "../../src/bus/sqlite.ts";
import { createTeamSystem, type TeamSystem, type TeamSystemOptions } from "../../src/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A system on a file, and the faults that belonged to nobody's call. */
export interface OpenedFile {
  readonly system: TeamSystem;
  readonly bus: Bus;
  readonly faults: unknown[];
}

/** A file that several systems open, as processes would. */
export interface SqliteFile {
  readonly path: string;
  open(options?: Partial<TeamSystemOptions>): Promise<OpenedFile>;
}

/** A new file; what was opened on it is closed with the test. */
export function useFile(): SqliteFile {
  const path = join(temporaryFolder(), "teamchart.db");
  const buses: Bus[] = [];
  onTestFinished(async () => void (await Promise.all(buses.map((bus) => bus.close()))));
  return {
    path,
    async open(options = {}) {
      const bus = sqliteBus({ path });
      buses.push(bus);
      const faults: unknown[] = [];
      const onFault = (fault: unknown): void => void faults.push(fault);
      const system = await createTeamSystem({ bus, environment: {}, onFault, ...options });
      return { system, bus, faults };
    },
  };
}

/** What a system does whose process is killed, as far as others can see: its lease is free, and it never lets go. */
export async function abandon({ bus }: OpenedFile, session: string): Promise<void> {
  const key = `default.session.${session}`;
  const held = await bus.claims.holder(key);
  if (held !== null) await bus.claims.release(held);
}
