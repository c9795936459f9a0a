import { afterAll } from "vitest";
import { natsBus } from "../../../src/bus/nats.ts";
import { NatsServer, natsBinaries } from "../../support/nats-server.ts";
import { busContract } from "../contract.ts";

let server: NatsServer | null = null;

const stop = async (): Promise<void> => {
  await server?.[Symbol.asyncDispose]();
  server = null;
};

afterAll(stop);

for (const { path, version } of natsBinaries()) {
  // A server for each test: nothing that one has sent or stored can come to the next.
  const makeBus = async ({ onError }: { onError: (error: unknown) => void }) => {
    await stop();
    server = await NatsServer.start({ path });
    return natsBus({ servers: server.url, onError });
  };
  busContract(`nats ${version}`, makeBus, { leasesByClock: false, interleavings: 30 });
}
