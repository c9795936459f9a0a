import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSource, HostedLead, PermissionPolicy } from "../../src/index.ts";
import type { ScriptInput } from "../../src/protocol/script.ts";
import { one, startSystem } from "./sessions.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What the team is made of. */
export interface GatedTeam {
  readonly script: ScriptInput;
  readonly permissions?: PermissionPolicy;
  readonly agent?: Exclude<AgentSource, (...given: never) => unknown>;
  readonly names?: readonly string[];
  readonly lead?: HostedLead;
  readonly more?: object;
}

/** A team of one agent type in a folder with a secret, and what its models were shown in the end. */
export async function startGated({ script, permissions, agent = {}, names = ["A"], lead, more = {} }: GatedTeam) {
  const root = temporaryFolder();
  for (const folder of ["src", "secrets"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "secrets/key"), "the word is plum");
  writeFileSync(join(root, "src/a.ts"), "no plum here");
  const tests = await startSystem({
    script,
    agents: { worker: agent },
    workspace: root,
    ...(permissions === undefined ? {} : { permissions }),
  });
  const session = await tests.open(lead === undefined ? {} : { lead });
  const members = names.map((name) => one(name, { agentType: "worker", ...more }));
  const team = lead === undefined ? await session.createTeam({ name: "T", members }) : null;
  const results = (name = "A") => {
    const token =
      name === "Lead" ? "lead" : [...session.state.members.values()].find((each) => each.name === name)?.token;
    return JSON.stringify(outputs.get(token ?? "") ?? []);
  };
  const outputs = new Map<string, unknown[]>();
  session.records$.subscribe(({ stored }) => {
    if (stored.input.event.type !== "tool.ended") return;
    outputs.set(stored.input.actor, [...(outputs.get(stored.input.actor) ?? []), stored.body]);
  });
  const text = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : null);
  return { ...tests, session, team, root, results, text };
}
