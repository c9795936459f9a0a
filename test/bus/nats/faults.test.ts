import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { busHealth } from "../../../src/actors/owner/bus-health.ts";
import { natsBus } from "../../../src/bus/nats.ts";
import { NatsServer } from "../../support/nats-server.ts";
import { appendOf, home, idsOf } from "../contract/test-bus.ts";

const onError = (): void => {};
const unavailable = (reason: RegExp, next: RegExp = /./) => ({
  code: "bus_unavailable",
  message: expect.stringMatching(reason),
  data: { reason: expect.stringMatching(reason), next: expect.stringMatching(next) },
});

describe("opening a NATS bus", () => {
  test("where no server answers says so and what to do", async () => {
    const opened = natsBus({ servers: "nats://user:very-secret@127.0.0.1:1", onError });
    await expect(opened).rejects.toMatchObject(
      unavailable(/nats:\/\/127\.0\.0\.1:1: no server answers/, /Start nats-server/),
    );
    await expect(opened).rejects.not.toMatchObject({ message: expect.stringContaining("very-secret") });
  });

  test("on a server without JetStream says how to turn it on", async () => {
    await using server = await NatsServer.start({ jetstream: false });
    await expect(natsBus({ servers: server.url, onError })).rejects.toMatchObject(
      unavailable(/JetStream is not enabled/, /-js/),
    );
  });

  test("on a server that is too old names the oldest that can be used", async () => {
    // No such server is to be had any more: what it says of itself is all that is looked at.
    const old = createServer((socket) => {
      socket.write('INFO {"server_id":"X","version":"2.8.4","max_payload":1048576,"proto":1,"headers":true}\r\n');
      socket.on("data", (part) => void (String(part).includes("PING") && socket.write("PONG\r\n")));
      socket.on("error", () => {});
    });
    old.listen(0, "127.0.0.1");
    await once(old, "listening");
    const { port } = old.address() as AddressInfo;
    await expect(natsBus({ servers: `127.0.0.1:${port}`, onError })).rejects.toMatchObject(
      unavailable(/nats-server 2\.8\.4 loses messages; 2\.9\.10 is the oldest/, /Install nats-server 2\.9\.10/),
    );
    old.close();
  });

  test.each([
    [{ servers: [] }, "servers: expected at least one address"],
    [{ servers: "http://127.0.0.1" }, 'got "http://127.0.0.1"'],
    [{ servers: "nats://u:secret@host:x" }, 'got "host:x"'],
    [{ servers: "nats://h", credentials: { token: "t", user: "u" } }, "credentials: expected one of"],
    [{ servers: "nats://h", credentials: { password: "p" } }, "a password needs a user"],
    [{ servers: "nats://h", credentials: { nkeySeed: "SUnone" } }, "credentials.nkeySeed"],
    [{ servers: "nats://h", credentials: { credentialsFile: "/nowhere/x.creds" } }, "credentialsFile: ENOENT"],
    [{ servers: "nats://h", tls: { caFile: "/nowhere/ca.pem" } }, 'tls.caFile: there is no file "/nowhere/ca.pem"'],
    [{ servers: "nats://h", inboxPrefix: "a.>" }, "inboxPrefix"],
    [{ servers: "nats://h", replicas: 2 }, "replicas: expected 1, 3 or 5"],
    [{ servers: "nats://h", appendMs: 0 }, "appendMs"],
  ])("with %j is refused as bad_input", async (options, text) => {
    await expect(natsBus({ ...options, onError })).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(text),
    });
  });
});

describe("a NATS bus whose server", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start({ config: "max_payload: 4096" });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("takes no such large message refuses it with its size, and takes the next one", async () => {
    const bus = await natsBus({ servers: server.url, onError });
    const large = bus.append(appendOf("large", { body: "x".repeat(5_000) }));
    await expect(large).rejects.toMatchObject({ code: "payload_too_large", data: { bytesMax: 4_096 } });
    await expect(bus.append(appendOf("small"))).resolves.toBeGreaterThan(0);
    await bus.close();
  });

  test("is full refuses what it can't keep, and stores it once there is room", async () => {
    await server.wipe();
    const bus = await natsBus({ servers: server.url, onError });
    const connection = await connect({ servers: server.url });
    const { streams } = await jetstreamManager(connection);
    await streams.update("TC_LOG_0", { max_bytes: 2_000 });
    const body = "x".repeat(700);
    const answers = await Promise.allSettled(["a", "b", "c", "d"].map((id) => bus.append(appendOf(id, { body }))));
    const refused = ["a", "b", "c", "d"].filter((_, at) => answers[at]?.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.at(-1)).toMatchObject({ reason: unavailable(/the stream is full/, /Raise max_bytes/) });
    await streams.update("TC_LOG_0", { max_bytes: -1 });
    for (const id of refused) await bus.append(appendOf(id, { body }));
    expect(idsOf(await bus.read(home, { fromSeq: 1 }))).toEqual(["a", "b", "c", "d"]);
    await Promise.all([bus.close(), connection.close()]);
  });

  test("is gone for longer than an append waits says so, shows in the health, and loses nothing", async () => {
    await server.wipe();
    const bus = await natsBus({ servers: server.url, onError, appendMs: 500 });
    await bus.append(appendOf("before"));
    expect(await busHealth(bus)).toEqual({ ready: true, reasons: [] });
    await server.kill();
    await expect(bus.append(appendOf("while"))).rejects.toMatchObject(
      unavailable(/nothing was acknowledged for .* the connection is broken/, /may be appended again/),
    );
    expect(await busHealth(bus)).toMatchObject({ ready: false, reasons: [expect.stringContaining("nats bus")] });
    await server.start();
    await expect.poll(() => busHealth(bus), { timeout: 20_000 }).toEqual({ ready: true, reasons: [] });
    await bus.append(appendOf("while"));
    expect(idsOf(await bus.read(home, { fromSeq: 1 }))).toEqual(["before", "while"]);
    await bus.close();
  });

  test("has a stream of that name that forgets is not used", async () => {
    await server.wipe();
    const connection = await connect({ servers: server.url });
    const { streams } = await jetstreamManager(connection);
    await streams.add({ name: "TC_LOG_0", subjects: ["tc.>"], max_age: 60_000_000_000 });
    await expect(natsBus({ servers: server.url, onError })).rejects.toMatchObject(
      unavailable(/the stream TC_LOG_0 keeps something else/, /another account/),
    );
    await connection.close();
  });

  test("has lost its disk ends the follows instead of mixing two logs", async () => {
    await server.wipe();
    const bus = await natsBus({ servers: server.url, onError });
    for (const id of ["a", "b", "c"]) await bus.append(appendOf(id));
    const { promise, reject } = Promise.withResolvers<never>();
    const seen: string[] = [];
    bus.follow(home, 1).subscribe({ next: ({ input }) => void seen.push(input.id), error: reject });
    await expect.poll(() => seen).toEqual(["a", "b", "c"]);
    await bus.append(appendOf("d"));
    await expect.poll(() => seen).toEqual(["a", "b", "c", "d"]);
    await server.kill();
    server.forget();
    await server.start();
    const empty = await natsBus({ servers: server.url, onError });
    await empty.append(appendOf("other"));
    await expect(promise).rejects.toMatchObject(unavailable(/it has lost inputs/));
    expect(seen).toEqual(["a", "b", "c", "d"]);
    await Promise.all([bus.close(), empty.close()]);
  });
});

describe("a lease on NATS", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("is taken by another bus once it has run out, with a greater epoch; its late owner gets null", async () => {
    const [ann, bob] = await Promise.all([
      natsBus({ servers: server.url, onError }),
      natsBus({ servers: server.url, onError }),
    ]);
    const first = await ann.claims.claim("k", "ann", 300);
    expect(await bob.claims.claim("k", "bob", 10_000)).toBeNull();
    expect(await bob.claims.holder("k")).toEqual(first);
    await expect.poll(() => bob.claims.claim("k", "bob", 10_000)).not.toBeNull();
    const second = await bob.claims.holder("k");
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? Infinity);
    expect(await ann.claims.claim("k", "ann", 300)).toBeNull();
    await Promise.all([ann.close(), bob.close()]);
  });

  test("that is renewed is kept, however old its first taking is", async () => {
    const [ann, bob] = await Promise.all([
      natsBus({ servers: server.url, onError }),
      natsBus({ servers: server.url, onError }),
    ]);
    const first = await ann.claims.claim("r", "ann", 400);
    const until = performance.now() + 1_000;
    while (performance.now() < until) {
      expect(await ann.claims.claim("r", "ann", 400)).toEqual(first);
      expect(await bob.claims.claim("r", "bob", 400)).toBeNull();
    }
    await Promise.all([ann.close(), bob.close()]);
  });

  test("keeps large checkpoints and bodies, which need many messages, and removes all of their parts", async () => {
    const bus = await natsBus({ servers: server.url, onError });
    const value = { text: "é🙂".repeat(400_000) };
    const revision = await bus.checkpoints.put("large", value, 0);
    await bus.blobs.put("digest", value);
    expect(await bus.checkpoints.get("large")).toEqual({ value, revision });
    expect(await bus.blobs.get("digest")).toEqual(value);
    await bus.checkpoints.put("large", "small", revision ?? 0);
    await bus.blobs.delete("digest");
    const connection = await connect({ servers: server.url });
    const { streams } = await jetstreamManager(connection);
    expect((await streams.info("KV_TC_bodies")).state.messages).toBe(0);
    await Promise.all([bus.close(), connection.close()]);
  });
});
