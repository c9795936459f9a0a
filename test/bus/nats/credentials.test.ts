import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/nats-core";
import { expect, test } from "vitest";
import { natsBus, type NatsCredentials, type NatsTls } from "../../../src/bus/nats.ts";
import { jwtParts } from "../../support/nats-jwt.ts";
import { NatsServer } from "../../support/nats-server.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { appendOf, home, idsOf } from "../contract/test-bus.ts";

const onError = (): void => {};
const refused = { code: "bus_unavailable", message: expect.stringContaining("refuses these credentials") };
const tlsFolder = join(import.meta.dirname, "../../fixtures/tls");
const tlsConfig = `tls {\n  cert_file: "${join(tlsFolder, "server.pem")}"\n  key_file: "${join(tlsFolder, "server.key")}"\n}\n`;

interface Given {
  readonly servers: string;
  readonly credentials?: NatsCredentials;
  readonly tls?: NatsTls;
}

/** Appends and reads with these, which needs every kind of request. */
async function worksWith(options: Given): Promise<readonly string[]> {
  const bus = await natsBus({ ...options, onError });
  await bus.append(appendOf("a"));
  const ids = idsOf(await bus.read(home, { fromSeq: 1 }));
  await bus.close();
  return ids;
}

const withUser = (url: string, user: string): string => url.replace("://", `://${user}@`);

test("a user and a password are known, as options and in the address; others are refused", async () => {
  await using server = await NatsServer.start({ config: 'authorization { user: "node", password: "p:@ss" }' });
  const { url: servers } = server;
  await expect(natsBus({ servers, onError })).rejects.toMatchObject(refused);
  const wrong = natsBus({ servers: withUser(servers, "node:guess"), onError });
  await expect(wrong).rejects.toMatchObject(refused);
  await expect(wrong).rejects.not.toMatchObject({ message: expect.stringContaining("guess") });
  expect(await worksWith({ servers, credentials: { user: "node", password: "p:@ss" } })).toEqual(["a"]);
  expect(await worksWith({ servers: withUser(servers, "node:p%3A%40ss") })).toEqual(["a"]);
});

test("a token is known, as an option and in the address", async () => {
  await using server = await NatsServer.start({ config: 'authorization { token: "open-sesame" }' });
  const { url: servers } = server;
  await expect(natsBus({ servers, credentials: { token: "no" }, onError })).rejects.toMatchObject(refused);
  expect(await worksWith({ servers, credentials: { token: "open-sesame" } })).toEqual(["a"]);
  expect(await worksWith({ servers: withUser(servers, "open-sesame") })).toEqual(["a"]);
});

test("an nkey is known by its seed", async () => {
  const [user, other] = [nkeys.createUser(), nkeys.createUser()];
  const seedOf = (pair: typeof user): string => new TextDecoder().decode(pair.getSeed());
  await using server = await NatsServer.start({
    config: `authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`,
  });
  const { url: servers } = server;
  await expect(natsBus({ servers, credentials: { nkeySeed: seedOf(other) }, onError })).rejects.toMatchObject(refused);
  expect(await worksWith({ servers, credentials: { nkeySeed: seedOf(user) } })).toEqual(["a"]);
});

test("a JWT is known by its file", async () => {
  const { config, credentials } = jwtParts();
  await using server = await NatsServer.start({ config });
  const { url: servers } = server;
  const credentialsFile = join(temporaryFolder(), "node.creds");
  writeFileSync(credentialsFile, credentials);
  await expect(natsBus({ servers, onError })).rejects.toMatchObject(refused);
  expect(await worksWith({ servers, credentials: { credentialsFile } })).toEqual(["a"]);
});

test("TLS is spoken with the authority that is named; a server of another one is refused", async () => {
  await using server = await NatsServer.start({ config: tlsConfig });
  const servers = server.url.replace("nats:", "tls:");
  await expect(natsBus({ servers, onError })).rejects.toMatchObject({
    code: "bus_unavailable",
    message: expect.stringMatching(/certificate/),
  });
  expect(await worksWith({ servers, tls: { caFile: join(tlsFolder, "ca.pem") } })).toEqual(["a"]);
});
