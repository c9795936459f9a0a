import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { findNatsServers, noNatsServer } from "./nats-download.ts";

/** A server that tests can start. */
export interface NatsBinary {
  readonly path: string;
  readonly version: string;
}

/** The servers that tests are run on, the machine's own first. Without any it throws the sentence that says how to get one. */
export function natsBinaries(): readonly [NatsBinary, ...NatsBinary[]] {
  const [first, ...others] = findNatsServers().map((path) => {
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    return { path, version: /v?(\d+\.\d+\.\d+)/.exec(stdout ?? "")?.[1] ?? "unknown" };
  });
  if (first === undefined) throw new Error(noNatsServer);
  return [first, ...others.filter(({ version }) => version !== first.version)];
}

/** What a test server is started with. */
export interface NatsServerOptions {
  readonly path?: string;
  /** What its configuration says besides address, port and store. */
  readonly config?: string;
  readonly jetstream?: boolean;
}

/** A nats-server of a test's own, on the loopback with a free port, with its data in a folder of its own. */
export class NatsServer implements AsyncDisposable {
  readonly folder: string;
  readonly #options: NatsServerOptions;
  #child: ChildProcess | null = null;
  #port = -1;

  private constructor(options: NatsServerOptions) {
    this.#options = options;
    this.folder = mkdtempSync(join(tmpdir(), "teamchart-nats-"));
  }

  static async start(options: NatsServerOptions = {}): Promise<NatsServer> {
    const server = new NatsServer(options);
    await server.start();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it, again at the same port and with the same data once it was stopped. Resolves when it takes connections. */
  async start(config: string = this.#options.config ?? ""): Promise<void> {
    const { path = natsBinaries()[0].path, jetstream = true } = this.#options;
    const file = join(this.folder, "server.conf");
    const ports = join(this.folder, "ports");
    rmSync(ports, { recursive: true, force: true });
    mkdirSync(ports, { recursive: true });
    const store = jetstream ? `jetstream {\n  store_dir: "${join(this.folder, "data")}"\n}\n` : "";
    writeFileSync(file, `listen: "127.0.0.1:${this.#port}"\nports_file_dir: "${ports}"\n${store}${config}\n`);
    const child = spawn(path, ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    let log = "";
    child.stderr?.on("data", (part: Buffer) => {
      if (log.length < 20_000) log += String(part);
    });
    const died = once(child, "exit").then(() => {
      throw new Error(`nats-server ended:\n${log}`);
    });
    died.catch(() => {});
    await Promise.race([died, this.#listening(ports)]);
  }

  /** Ends it at once, as a crash does. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  /** Loses its disk; it must not run. */
  forget(): void {
    rmSync(join(this.folder, "data"), { recursive: true, force: true });
  }

  /** Removes every stream. */
  async wipe(): Promise<void> {
    const connection = await connect({ servers: this.url });
    const { streams } = await jetstreamManager(connection);
    for await (const { config } of streams.list()) await streams.delete(config.name);
    await connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Resolves when its port is known and open. */
  async #listening(ports: string): Promise<void> {
    const until = performance.now() + 30_000;
    while (performance.now() < until) {
      const file = readdirSync(ports).find((name) => name.endsWith(".ports"));
      if (file !== undefined) this.#port = portOf(readFileSync(join(ports, file), "utf8")) ?? this.#port;
      if (this.#port > 0 && (await isOpen(this.#port))) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error("nats-server does not listen");
  }
}

/** The port of the file that a server writes; null while it is not whole. */
function portOf(text: string): number | null {
  const found = /"nats"\s*:\s*\[\s*"(?:nats|tls):\/\/[^"]*:(\d+)"/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
