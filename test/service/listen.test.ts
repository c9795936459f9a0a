import { createServer } from "node:net";
import { hostname } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { createTeamSystem } from "teamchart";
import { createService, listen } from "teamchart/service";
import { hostsOf } from "../../src/service/listen.ts";
import { rejection } from "../support/sessions.ts";
import { httpService } from "../support/http-service.ts";

async function aService(options = {}) {
  const system = await createTeamSystem({ environment: {} });
  const service = createService(system, options);
  onTestFinished(async () => {
    await service.close();
    await system.close();
  });
  return service;
}

test("a port that is taken is refused with what that means and the flag that helps", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const error = await rejection(listen(await aService(), { port }));
  expect(error).toMatchObject({ code: "bad_input" });
  expect(String(error)).toContain(`port ${port} of 127.0.0.1 is taken, perhaps by another inspector; --port 0`);
});

test.each([
  ["192.0.2.77", "no address of this machine"],
  ["no-such-host.invalid", "there is no host"],
])("the host %s is refused: %s", async (host, text) => {
  const token = "a-token-of-my-own-0123456789";
  const error = await rejection(listen(await aService({ auth: { token } }), { host }));
  expect(String(error)).toContain(text);
});

test("a token of one's own opens an address that others can reach, by its names and by no other", async () => {
  const auth = { token: "a-token-of-my-own-0123456789" };
  const on = await listen(await aService({ auth, hosts: hostsOf("0.0.0.0") }), { host: "0.0.0.0" });
  onTestFinished(() => on.close());
  expect(on.host).toBe("0.0.0.0");
  const answer = await fetch(`http://127.0.0.1:${on.port}/healthz`);
  expect(answer.status).toBe(200);
  expect(hostsOf("0.0.0.0")).toContain(hostname().toLowerCase());
});

test("closing ends what is still streamed", async () => {
  const { system, ask, listening } = await httpService();
  await system.openSession({ id: "s" });
  const stream = (await ask("/api/sessions/s/events")).text().catch(() => "ended");
  await listening.close();
  expect(typeof (await stream)).toBe("string");
});
