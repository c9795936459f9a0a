import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { sqliteFault } from "../../bus/sqlite/sqlite-fault.ts";
import { makeOwnFolder, ownFolder } from "../../tools/workspace/own-folder.ts";
import { findNatsServer } from "./find-nats-server.ts";
import { ServerBook, type KnownServer } from "./server-book.ts";
import { endServers, serversWith, signalAll } from "./server-processes.ts";
import { greets, serverFolder, startServer, type ServerFolder } from "./start-server.ts";

/** Where the server of a project keeps what it has. */
export const ownServerPath = (cwd: string): string => join(cwd, ownFolder, "nats");

/** How often a server that ends by itself is started again, at most. */
const revivalsMax = 5;

/** A server in use. */
export interface OwnServer {
  readonly url: string;
  readonly token: string;
  /** Uses it no longer; whoever is the last to do so ends it. */
  close(): Promise<void>;
}

/** What a server is used with. */
export interface OwnServerOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Uses the nats-server of a project's own: the one that runs there, or a new one. All commands in a folder share it, so
 * there are never two on one store. One that was left behind by a process that was killed is used again. Should it end
 * while this process uses one that it has started, it is started again at the same port.
 *
 * Throws `bus_unavailable` when there is no nats-server on this machine, when it does not come up, and for a folder that
 * can't be written.
 */
export async function useOwnServer({ cwd, env, onFault }: OwnServerOptions): Promise<OwnServer> {
  const path = ownServerPath(cwd);
  const folder = await makeFolder(path, cwd);
  const book = new ServerBook(join(folder.path, "server.db"));
  const use = new ServerUse({ folder, book, program: () => findNatsServer(env), onFault });
  try {
    return await use.begin();
  } catch (fault) {
    book.close();
    throw fault;
  }
}

/** By its real path: a process is known by the path that it was given. */
async function makeFolder(path: string, cwd: string): Promise<ServerFolder> {
  try {
    await makeOwnFolder(cwd);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return serverFolder(realpathSync(path));
  } catch (fault) {
    throw sqliteFault(path, fault);
  }
}

interface UseParts {
  readonly folder: ServerFolder;
  readonly book: ServerBook;
  readonly program: () => string;
  readonly onFault: (fault: unknown) => void;
}

class ServerUse {
  readonly #parts: UseParts;
  #closing: Promise<void> | null = null;
  #revivals = 0;

  constructor(parts: UseParts) {
    this.#parts = parts;
  }

  async begin(): Promise<OwnServer> {
    const { book } = this.#parts;
    const { port, token } = await book.inTurn(async () => {
      const server = await this.#ensure();
      book.enter();
      return server;
    });
    process.once("exit", this.#atExit);
    return { url: `nats://127.0.0.1:${port}`, token, close: () => (this.#closing ??= this.#close()) };
  }

  /** The server that runs, or a new one. In turn. */
  async #ensure(): Promise<KnownServer> {
    const { folder, book } = this.#parts;
    const others = book.others();
    const known = book.server();
    if (known !== null && serversWith(folder.config).length === 1 && (await greets(known.port))) return known;
    // One that nobody has noted was left by a process that was killed while it started it; one that doesn't answer hangs.
    await endServers(folder.config, 0);
    // Whoever uses it still knows it by its port and token.
    const again = others > 0 ? known : null;
    const token = again?.token ?? randomBytes(24).toString("base64url");
    const started = await startServer({ program: this.#parts.program(), folder, port: again?.port ?? null, token });
    book.noteServer(started);
    started.ended.then(() => this.#revive(), this.#parts.onFault);
    return started;
  }

  #revive(): void {
    if (this.#closing !== null) return;
    const { book, onFault } = this.#parts;
    this.#revivals += 1;
    if (this.#revivals > revivalsMax) return;
    // This process counts as one that uses it, so that it comes back where it was.
    const work = book.inTurn(async () => {
      if (this.#closing === null) await this.#ensureAgain();
    });
    work.catch(onFault);
  }

  async #ensureAgain(): Promise<void> {
    const { folder, book } = this.#parts;
    const known = book.server();
    if (known === null || serversWith(folder.config).length > 0) return;
    const started = await startServer({ program: this.#parts.program(), folder, ...known });
    started.ended.then(() => this.#revive(), this.#parts.onFault);
  }

  async #close(): Promise<void> {
    const { folder, book } = this.#parts;
    process.off("exit", this.#atExit);
    try {
      await book.inTurn(async () => {
        book.leave();
        if (book.others() > 0) return;
        await endServers(folder.config);
        book.forgetServer();
      });
    } finally {
      book.close();
    }
  }

  /** A process that ends without closing, as by a second interrupt, leaves no server behind either. */
  readonly #atExit = (): void => {
    const { folder, book } = this.#parts;
    book.atOnce(() => {
      book.leave();
      if (book.others() === 0) signalAll(serversWith(folder.config), "SIGTERM");
    });
  };
}
