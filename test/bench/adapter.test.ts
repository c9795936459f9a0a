import { expect, test } from "vitest";
import { createBench, type BenchContext } from "../../bench/adapter.ts";
import { controls } from "../../bench/controls.ts";
import { chain, diamond, fan, randomDag } from "../../bench/graphs.ts";

const openMemory = () => createBench({ durability: "memory" });

/** Notes in which order members ran. */
function noting(runId: string): BenchContext & { readonly ran: number[] } {
  const ran: number[] = [];
  return { runId, ran, step: (index) => ran.push(index) };
}

test.each([
  ["a diamond", diamond()],
  ["a chain", chain(20)],
  ["a fan", fan(20)],
  ["a random graph", randomDag(200)],
])("the runtime and the control run every member of %s once, after its upstreams", async (name, graph) => {
  const bench = await openMemory();
  for (const subject of [bench, controls]) {
    const context = noting(name);
    await subject.dag(graph, context);
    expect(context.ran.toSorted((a, b) => a - b)).toEqual([...graph.deps.keys()]);
    const place = new Map(context.ran.map((member, at) => [member, at]));
    const early = graph.deps.flatMap((upstreams, member) =>
      upstreams.filter((upstream) => Number(place.get(upstream)) > Number(place.get(member))),
    );
    expect(early).toEqual([]);
  }
  await bench.close();
});

test("a member that fails ends the measurement", async () => {
  const bench = await openMemory();
  const context = { runId: "failing", step: () => Promise.reject(new Error("no")) };
  await expect(bench.dag(diamond(), context)).rejects.toThrow("the team is stalled");
  await bench.close();
});

test("two members exchange messages until the last one is handled", async () => {
  const bench = await openMemory();
  await expect(Promise.all([bench.pingpong(101), controls.pingpong(101)])).resolves.toBeDefined();
  await bench.close();
});

test("every broadcast is handled by all before send resolves", async () => {
  const bench = await openMemory();
  const broadcaster = await bench.broadcaster(20);
  const send = async () => {
    for (let sent = 0; sent < 3; sent++) await broadcaster.send();
  };
  await expect(send()).resolves.toBeUndefined();
  await bench.close();
});

test.each(["process", "fsync"] as const)("the durability %s is refused while no bus has it", async (durability) => {
  await expect(createBench({ durability })).rejects.toThrow(`the durability "${durability}" has no bus yet`);
});
