import type { ElkNode } from "elkjs/lib/elk-api.js";

/** What the worker of elkjs answers. */
interface Answer {
  readonly id: number;
  readonly data?: ElkNode;
  readonly error?: { readonly message?: string };
}

interface Waiting {
  readonly resolve: (graph: ElkNode) => void;
  readonly reject: (fault: Error) => void;
}

/** ELK's layout, in a worker of its own: the file of elkjs as it was published. */
export class ElkWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;

  constructor(url: string) {
    this.#worker = new Worker(url);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#answered(data));
    this.#worker.addEventListener("error", () => this.#failAll("The layout could not be loaded."));
    this.#post({ cmd: "register", algorithms: ["layered"] }).catch(() => {
      // Whoever waits for a layout is told by its own rejection.
    });
  }

  layout(graph: ElkNode): Promise<ElkNode> {
    return this.#post({ cmd: "layout", graph, layoutOptions: {}, options: {} });
  }

  #post(message: object): Promise<ElkNode> {
    const id = this.#id++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...message });
    });
  }

  #answered({ id, data, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(data ?? { id: "chart" });
    else waiting?.reject(new Error(error.message ?? "The layout failed."));
  }

  #failAll(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}
