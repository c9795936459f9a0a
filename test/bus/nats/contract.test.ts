import { afterAll } from "vitest";
import { natsBus } from "../../../src/bus/nats.ts";
import { NatsServer, natsBinaries } from "../../support/nats-server.ts";
import { busContract } from "../contract.ts";

const servers = new Map<string, Promise<NatsServer>>();

afterAll(async () => {
  for (const server of servers.values()) await (await server)[Symbol.asyncDispose]();
});

for (const { path, version } of natsBinaries()) {
  const makeBus = async ({ onError }: { onError: (error: unknown) => void }) => {
    const started = servers.get(version) ?? NatsServer.start({ path });
    servers.set(version, started);
    const server = await started;
    await server.wipe();
    return natsBus({ servers: server.url, onError });
  };
  busContract(`nats ${version}`, makeBus, { leasesByClock: false, interleavings: 30 });
}
