/** A node of a team's graph. */
export interface DagNode {
  readonly id: string;
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/** A graph with places, in px. */
export interface DagLayout {
  readonly width: number;
  readonly height: number;
  /** Left upper corners, in the order of the nodes. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly nodeWidth: number;
  readonly nodeHeight: number;
  /** Indexes of nodes, two by two: from an upstream to what waits for it. */
  readonly edges: Uint32Array;
  readonly indexOf: ReadonlyMap<string, number>;
}

const gap = { column: 64, row: 12, block: 20 } as const;
const nodeHeight = 34;
/** Rows of a layer before it goes on in another column. */
const rowsMin = 12;
const sweeps = 4;

/**
 * Places a team's members from left to right, each right of all that it waits for. A layer with very many is a block of
 * several columns, so that a team of a thousand fits a screen. Linear in members and edges, but for sorting each layer.
 */
export function layOutDag(nodes: readonly DagNode[]): DagLayout {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const upstreams = nodes.map(({ dependsOn }) => dependsOn.flatMap((id) => indexOf.get(id) ?? []));
  const layers = layersOf(upstreams);
  order(layers, upstreams);
  const nodeWidth = widthOf(nodes);
  const rowsMax = Math.max(rowsMin, Math.ceil(Math.sqrt(nodes.length) * 1.1));
  const x = new Float64Array(nodes.length);
  const y = new Float64Array(nodes.length);
  const tallest = Math.max(1, ...layers.map((layer) => Math.min(rowsMax, layer.length)));
  const step = nodeHeight + gap.row;
  let left = 0;
  for (const layer of layers) {
    const columns = Math.ceil(layer.length / rowsMax);
    const rows = Math.ceil(layer.length / columns);
    const top = ((tallest - rows) * step) / 2;
    for (const [place, index] of layer.entries()) {
      x[index] = left + Math.floor(place / rows) * (nodeWidth + gap.block);
      y[index] = top + (place % rows) * step;
    }
    left += columns * (nodeWidth + gap.block) - gap.block + gap.column;
  }
  const edges = Uint32Array.from(upstreams.flatMap((from, to) => from.flatMap((each) => [each, to])));
  return {
    width: Math.max(0, left - gap.column),
    height: tallest * step - gap.row,
    x,
    y,
    nodeWidth,
    nodeHeight,
    edges,
    indexOf,
  };
}

/** Wide enough for most names; longer ones are cut with an ellipsis, and whole in their title. */
function widthOf(nodes: readonly DagNode[]): number {
  const lengths = nodes.map(({ name }) => name.length).toSorted((a, b) => a - b);
  const most = lengths[Math.floor(lengths.length * 0.95)] ?? 8;
  return Math.max(96, Math.min(190, 46 + most * 7.2));
}

/** Indexes by layer: a node's is one more than the highest of its upstreams. What stands in a circle is left at 0. */
function layersOf(upstreams: readonly (readonly number[])[]): number[][] {
  const downstreams: number[][] = upstreams.map(() => []);
  const open = upstreams.map((each) => each.length);
  for (const [index, each] of upstreams.entries()) for (const upstream of each) downstreams[upstream]?.push(index);
  const layer = new Uint32Array(upstreams.length);
  const queue = open.flatMap((count, index) => (count === 0 ? [index] : []));
  // What is pushed meanwhile is visited too.
  for (const index of queue) {
    for (const next of downstreams[index] ?? []) {
      layer[next] = Math.max(layer[next] ?? 0, (layer[index] ?? 0) + 1);
      open[next] = (open[next] ?? 0) - 1;
      if (open[next] === 0) queue.push(next);
    }
  }
  const layers: number[][] = [];
  for (const [index, each] of layer.entries()) (layers[each] ??= []).push(index);
  return layers;
}

/** Puts each layer in the order of the middle of its neighbours, to and fro, so that few edges cross. */
function order(layers: number[][], upstreams: readonly (readonly number[])[]): void {
  const downstreams: number[][] = upstreams.map(() => []);
  for (const [index, each] of upstreams.entries()) for (const upstream of each) downstreams[upstream]?.push(index);
  const place = new Float64Array(upstreams.length);
  const number = (layer: readonly number[]): void => {
    for (const [at, index] of layer.entries()) place[index] = (at + 0.5) / layer.length;
  };
  layers.forEach(number);
  const middle = new Float64Array(upstreams.length);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForward = sweep % 2 === 0;
    const neighbours = isForward ? upstreams : downstreams;
    for (const layer of isForward ? layers : layers.toReversed()) {
      for (const index of layer) {
        const near = neighbours[index] ?? [];
        middle[index] =
          near.length === 0
            ? (place[index] ?? 0)
            : near.reduce((sum, each) => sum + (place[each] ?? 0), 0) / near.length;
      }
      layer.sort((a, b) => (middle[a] ?? 0) - (middle[b] ?? 0) || a - b);
      number(layer);
    }
  }
}
