import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { endServers, serversWith } from "../../../src/cli/own-nats/server-processes.ts";
import { greets } from "../../../src/cli/own-nats/start-server.ts";
import { ownServerPath, useOwnServer } from "../../../src/cli/own-nats/use-own-server.ts";
import { natsBinaries } from "../../support/nats-server.ts";
import { rejection } from "../../support/sessions.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const program = natsBinaries()[0].path;

/** A folder whose servers are gone when the test is over. */
function newPlace() {
  const cwd = temporaryFolder();
  const config = join(realpathSync(cwd), ".teamchart", "nats", "server.conf");
  onTestFinished(() => endServers(config));
  const faults: unknown[] = [];
  const options = { cwd, env: { NATS_SERVER: program }, onFault: (fault: unknown) => void faults.push(fault) };
  return { cwd, config, faults, options, servers: () => serversWith(config) };
}

const portOf = (url: string): number => Number(new URL(url).port);

test("all who use the server of a folder share one, also when they come at once; the last one ends it", async () => {
  const { cwd, options, servers } = newPlace();
  const [ann, bob] = await Promise.all([useOwnServer(options), useOwnServer(options)]);
  expect([ann.url, ann.token]).toEqual([bob.url, bob.token]);
  expect(servers()).toHaveLength(1);
  await ann.close();
  await ann.close();
  expect(await greets(portOf(bob.url))).toBe(true);
  await bob.close();
  expect(servers()).toEqual([]);
  const again = await useOwnServer(options);
  expect(servers()).toHaveLength(1);
  expect(again.token).not.toBe(bob.token);
  await again.close();
  expect(statSync(ownServerPath(cwd)).mode & 0o077).toBe(0);
  expect(statSync(join(ownServerPath(cwd), "server.conf")).mode & 0o077).toBe(0);
});

test("it listens on the loopback alone, and refuses whoever has no token", async () => {
  const { options } = newPlace();
  const server = await useOwnServer(options);
  expect(new URL(server.url).hostname).toBe("127.0.0.1");
  await expect(connect({ servers: server.url })).rejects.toThrow(/authorization/i);
  const connection = await connect({ servers: server.url, token: server.token });
  expect(connection.info?.host).toBe("127.0.0.1");
  await connection.close();
  await server.close();
});

test("a server that was started and never noted, as by a process killed in between, is ended before another one starts", async () => {
  const { cwd, config, options, servers } = newPlace();
  mkdirSync(ownServerPath(cwd), { recursive: true });
  writeFileSync(config, `listen: "127.0.0.1:-1"\njetstream { store_dir: "${join(ownServerPath(cwd), "data")}" }\n`);
  const orphan = spawn(program, ["-c", config], { stdio: "ignore", detached: true });
  const ended = once(orphan, "exit");
  await once(orphan, "spawn");
  const server = await useOwnServer(options);
  await ended;
  expect(servers()).toHaveLength(1);
  expect(servers()).not.toContain(orphan.pid);
  await server.close();
});

test("a server that ends by itself comes back at the same port, with the same token", async () => {
  const { faults, options, servers } = newPlace();
  const server = await useOwnServer(options);
  const connection = await connect({ servers: server.url, token: server.token, reconnectTimeWait: 10 });
  const [first] = servers();
  process.kill(first ?? 0, "SIGKILL");
  await expect.poll(() => servers().filter((pid) => pid !== first)).toHaveLength(1);
  await expect.poll(() => connection.flush().then(() => "there")).toBe("there");
  await connection.close();
  await server.close();
  expect([servers(), faults]).toEqual([[], []]);
});

test("one that hangs is replaced at the same port, for those who use it already", async () => {
  const { options, servers } = newPlace();
  const ann = await useOwnServer(options);
  const [hung] = servers();
  process.kill(hung ?? 0, "SIGSTOP");
  const bob = await useOwnServer(options);
  expect([bob.url, bob.token]).toEqual([ann.url, ann.token]);
  expect(servers()).toHaveLength(1);
  expect(servers()).not.toContain(hung);
  await Promise.all([ann.close(), bob.close()]);
  expect(servers()).toEqual([]);
});

test("without a nats-server, with one that doesn't come up and in a folder that can't be, it says what to do and leaves nothing", async () => {
  const { cwd, options, servers } = newPlace();
  const env = { NATS_SERVER: "/nowhere/nats-server" };
  expect(await rejection(useOwnServer({ ...options, env }))).toMatchObject({
    code: "bus_unavailable",
    data: { reason: expect.stringContaining("NATS_SERVER=/nowhere"), next: expect.stringContaining("apt-get install") },
  });
  const broken = join(cwd, "broken");
  writeFileSync(broken, "#!/bin/sh\necho 'this is no server' >&2\nexit 3\n");
  chmodSync(broken, 0o700);
  expect(await rejection(useOwnServer({ ...options, env: { NATS_SERVER: broken } }))).toMatchObject({
    code: "bus_unavailable",
    data: { reason: expect.stringContaining("this is no server"), next: expect.stringContaining("server.log") },
  });
  expect(servers()).toEqual([]);
  const blocked = temporaryFolder();
  writeFileSync(join(blocked, ".teamchart"), "a file");
  expect(await rejection(useOwnServer({ ...options, cwd: blocked }))).toMatchObject({
    code: "bus_unavailable",
    data: { reason: expect.stringContaining("a part of its path is a file") },
  });
});
