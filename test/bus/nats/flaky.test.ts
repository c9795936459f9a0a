import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { natsBus, openNatsBus } from "../../../src/bus/nats.ts";
import { NatsServer, natsBinaries } from "../../support/nats-server.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { appendOf, Collector, home, idsOf } from "../contract/test-bus.ts";

const onError = (): void => {};

const binaries = natsBinaries();

describe.each(binaries)("a connection to nats $version that breaks", ({ path }) => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start({ path });
  });
  beforeEach(() => server.wipe());
  afterAll(() => server[Symbol.asyncDispose]());

  /** Follows over a way that loses what it carries and then breaks, so many times; what came, and what should have. */
  async function follow(recovery: { onGap: boolean; onBreak: boolean }, breaks: number) {
    await using proxy = await TcpProxy.start(() => server.port);
    const writer = await natsBus({ servers: server.url, onError });
    const reader = await openNatsBus({ servers: proxy.url, onError }, recovery);
    const seen = new Collector(reader, home, 1);
    const sent: string[] = [];
    const append = async (id: string): Promise<void> => {
      sent.push(id);
      await writer.append(appendOf(id));
    };
    await append("first");
    await seen.untilId("first");
    for (let round = 0; round < breaks; round += 1) {
      proxy.swallow();
      for (let at = 0; at < 5; at += 1) await append(`lost ${round} ${at}`);
      // More than the answers and signs of life that a connection carries besides.
      await proxy.untilSwallowed(1_000);
      proxy.cut();
      for (let at = 0; at < 5; at += 1) await append(`after ${round} ${at}`);
      await append(`end ${round}`);
      await seen.untilId(`end ${round}`);
    }
    await Promise.all([writer.close(), reader.close()]);
    return { came: seen.ids, sent };
  }

  test("costs a follower nothing: every input once and in order", async () => {
    const { came, sent } = await follow({ onGap: true, onBreak: true }, 5);
    expect(came).toEqual(sent);
  });

  // What finds a loss is the same on every server; each of the two takes as long as silence does.
  const isFirst = path === binaries[0].path;

  test.runIf(isFirst)("is found by the numbers of the deliveries alone", async () => {
    const { came, sent } = await follow({ onGap: true, onBreak: false }, 1);
    expect(came).toEqual(sent);
  });

  test.runIf(isFirst)("loses inputs where nobody looks at these numbers: the test above would fail", async () => {
    const { came, sent } = await follow({ onGap: false, onBreak: false }, 1);
    expect(sent.filter((id) => !came.includes(id)).length).toBeGreaterThan(0);
  });

  test("costs whoever appends nothing: every input is stored once, in the order of the calls", async () => {
    await using proxy = await TcpProxy.start(() => server.port);
    const writer = await natsBus({ servers: proxy.url, onError });
    const ids = Array.from({ length: 300 }, (_, at) => `id${at}`);
    const stored: Promise<number>[] = [];
    for (const [at, id] of ids.entries()) {
      stored.push(writer.append(appendOf(id)));
      if (at % 100 !== 50) continue;
      proxy.swallow();
      for (let more = 0; more < 5; more += 1) stored.push(writer.append(appendOf(`id${at}-${more}`)));
      // Acknowledged, and nobody hears of it.
      await proxy.untilSwallowed(50);
      proxy.cut();
    }
    const seqs = await Promise.all(stored);
    const kept = await writer.read(home, { fromSeq: 1 });
    const sent = ids.flatMap((id, at) =>
      at % 100 === 50 ? [id, ...[0, 1, 2, 3, 4].map((more) => `${id}-${more}`)] : [id],
    );
    expect(idsOf(kept)).toEqual(sent);
    expect(kept.map(({ seq }) => seq)).toEqual(seqs);
    await writer.close();
  });

  test("as the server is killed and comes back: what was acknowledged is there, what was not is stored, followers go on", async () => {
    const buses = await Promise.all([
      natsBus({ servers: server.url, onError }),
      natsBus({ servers: server.url, onError }),
    ]);
    const [writer, reader] = buses;
    const seen = new Collector(reader, home, 1);
    const ids = Array.from({ length: 40 }, (_, at) => `id${at}`);
    await Promise.all(ids.slice(0, 10).map((id) => writer.append(appendOf(id))));
    const underWay = ids.slice(10, 20).map((id) => writer.append(appendOf(id)));
    await server.kill();
    const away = ids.slice(20, 30).map((id) => writer.append(appendOf(id)));
    await server.start();
    await Promise.all([...underWay, ...away]);
    await Promise.all(ids.slice(30).map((id) => writer.append(appendOf(id))));
    await seen.untilId("id39");
    expect(seen.ids).toEqual(ids);
    expect(idsOf(await reader.read(home, { fromSeq: 1 }))).toEqual(ids);
    await Promise.all([writer.close(), reader.close()]);
  });
});
