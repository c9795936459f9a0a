import { once } from "node:events";
import { createConnection, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A way to a server that can be cut, and that can lose what the server sends before it is. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: () => number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isSwallowing = false;
  #swallowed = 0;
  #onSwallowed: (() => void) | null = null;

  private constructor(target: () => number) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  /** `target` is asked for the port of every new connection. */
  static async start(target: () => number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `nats://127.0.0.1:${port}`;
  }

  /** Loses from now on what the server sends, as a broken way does before anybody notices. */
  swallow(): void {
    this.#isSwallowing = true;
    this.#swallowed = 0;
  }

  /** Resolves once so many bytes are lost. */
  async untilSwallowed(bytes: number): Promise<void> {
    while (this.#swallowed < bytes) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#onSwallowed = resolve;
      await promise;
    }
  }

  /** Ends every connection; new ones are whole. */
  cut(): void {
    this.#isSwallowing = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    const server = createConnection({ host: "127.0.0.1", port: this.#target() });
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = (): void => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", end);
    }
    client.on("data", (part) => void server.write(part));
    server.on("data", (part) => this.#pass(part, client));
  }

  #pass(part: Buffer, client: Socket): void {
    if (!this.#isSwallowing) {
      client.write(part);
      return;
    }
    this.#swallowed += part.length;
    this.#onSwallowed?.();
  }
}
