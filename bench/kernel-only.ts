import { desiredRun, type Kernel, type KernelRecord } from "teamchart/machines";
import { Limits, TeamSpec, type Input } from "teamchart/protocol";
import type { BenchGraph } from "./adapter.ts";

/** The kernel's own share of a graph: the same inputs as the runtime appends, folded with no bus, runs or promises. */
export function foldGraph(kernel: Kernel, { names, deps }: BenchGraph): void {
  const session = kernel.create();
  const queue: Omit<KernelRecord, "seq">[] = [];
  const push = (actor: string, from: string, event: Input["event"], plan?: TeamSpec) => {
    const input: Input = { id: String(queue.length), at: 0, actor, from, epoch: 1, event };
    queue.push(plan === undefined ? { input } : { input, plan });
  };
  push("session", "system", {
    type: "session.opened",
    config: {
      session: "bench",
      lead: "none",
      agentTypes: [{ name: "node", kind: "function" }],
      limits: Limits.parse({}),
    },
  });
  push("session", "system", { type: "owner.claimed", epoch: 1, node: "bench" });
  const members = names.map((name, index) => ({
    name,
    agentType: "node",
    prompt: "",
    dependsOn: (deps[index] ?? []).map((upstream) => names[upstream] ?? ""),
  }));
  push(
    "session",
    "lead",
    { type: "team.create", plan: "", byModel: false },
    TeamSpec.parse({ name: "bench", members }),
  );
  const started = new Set<string>();
  for (let seq = 1; seq <= queue.length; seq++) {
    const { changed } = kernel.apply(session, { seq, ...queue[seq - 1] } as KernelRecord);
    for (const token of changed) {
      const member = session.members.get(token);
      const run = member === undefined ? null : desiredRun(session, member, kernel.steppers.facts);
      if (run === null || started.has(token)) continue;
      started.add(token);
      push(token, token, { type: "run.completed", run: run.n, k: 1 });
    }
  }
  if (started.size !== names.length) throw new Error(`${started.size} of ${names.length} members ran`);
}
