/**
 * The dependency graph of a team, by index: `dependsOn[i]` are the upstreams of node i. Linear in nodes and edges.
 */
export type Graph = readonly (readonly number[])[];

/** The downstreams of every node. */
export function downstreamsOf(graph: Graph): number[][] {
  const downstreams: number[][] = graph.map(() => []);
  graph.forEach((upstreams, node) => {
    for (const upstream of upstreams) downstreams[upstream]?.push(node);
  });
  return downstreams;
}

/**
 * A cycle, upstream to downstream, starting at the lowest index that lies on any cycle and as short as possible through
 * it, with that index repeated at the end; null when there is none. Whoever has the downstreams already gives them.
 */
export function findCycle(graph: Graph, downstreams: Graph = downstreamsOf(graph)): number[] | null {
  if (countOrdered(graph, downstreams) === graph.length) return null;
  const component = componentsOf(downstreams);
  const size = new Map<number, number>();
  for (const id of component) size.set(id, (size.get(id) ?? 0) + 1);
  const start = graph.findIndex(
    (upstreams, node) => (size.get(component[node] ?? -1) ?? 0) > 1 || upstreams.includes(node),
  );
  return shortestLoop(start, downstreams, component);
}

/** How many nodes can be ordered upstream first (Kahn). */
function countOrdered(graph: Graph, downstreams: readonly (readonly number[])[]): number {
  const unmet = graph.map((upstreams) => upstreams.length);
  const ready: number[] = [];
  for (const [node, count] of unmet.entries()) if (count === 0) ready.push(node);
  // Grows while it is walked, and so do the queues below.
  for (const done of ready) {
    for (const node of downstreams[done] ?? []) {
      unmet[node] = (unmet[node] ?? 0) - 1;
      if (unmet[node] === 0) ready.push(node);
    }
  }
  return ready.length;
}

/** The shortest way from `start` back to itself within its component, breadth first. */
function shortestLoop(
  start: number,
  downstreams: readonly (readonly number[])[],
  component: readonly number[],
): number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const node of queue) {
    for (const next of downstreams[node] ?? []) {
      if (next === start) {
        const path = [start];
        for (let back = node; back !== start; back = cameFrom.get(back) ?? start) path.unshift(back);
        return [start, ...path];
      }
      if (component[next] !== component[start] || cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return [start, start];
}

/** Strongly connected components (Tarjan, without recursion: a chain may be 50,000 long); the id of each node's. */
function componentsOf(downstreams: readonly (readonly number[])[]): number[] {
  const count = downstreams.length;
  const order = downstreams.map(() => -1);
  const low = downstreams.map(() => 0);
  const component = downstreams.map(() => -1);
  const stack: number[] = [];
  let visited = 0;
  let components = 0;
  for (let root = 0; root < count; root++) {
    if (order[root] !== -1) continue;
    const work: { node: number; edge: number }[] = [{ node: root, edge: 0 }];
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { node } = top;
      if (top.edge === 0) {
        low[node] = visited;
        order[node] = visited++;
        stack.push(node);
      }
      const next = downstreams[node]?.[top.edge];
      if (next !== undefined) {
        top.edge++;
        if (order[next] === -1) work.push({ node: next, edge: 0 });
        else if (component[next] === -1) low[node] = Math.min(low[node] ?? 0, order[next] ?? 0);
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node] ?? 0, low[node] ?? 0);
      if (low[node] !== order[node]) continue;
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        component[member] = components;
        if (member === node) break;
      }
      components++;
    }
  }
  return component;
}
