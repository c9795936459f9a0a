import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { natsBus } from "../../../src/bus/nats.ts";
import { formatSubject } from "../../../src/protocol/subject.ts";
import { NatsServer } from "../../support/nats-server.ts";
import { appendOf, home, idsOf } from "../contract/test-bus.ts";
import { permissionsConfig } from "../../support/nats-permissions.ts";

type Connection = Awaited<ReturnType<typeof connect>>;

const onError = (): void => {};
const denied = /permission|violation/i;

describe("a user who may only send as one member", () => {
  let server: NatsServer;
  let member: Connection;
  beforeAll(async () => {
    server = await NatsServer.start({ config: permissionsConfig() });
    const bus = await natsBus({ servers: server.url, credentials: { user: "node", password: "node-secret" }, onError });
    await bus.append(appendOf("secret", { actor: "Ann-t1" }));
    await bus.close();
    member = await connect({ servers: server.url, user: "ann", pass: "ann-secret", inboxPrefix: "_INBOX_ann" });
  });
  afterAll(async () => {
    await member.close();
    await server[Symbol.asyncDispose]();
  });

  /** What the server complains of first. */
  const complaint = async (): Promise<string> => {
    for await (const status of member.status()) if (status.type === "error") return status.error.message;
    return "";
  };

  const record = (id: string): string => JSON.stringify(appendOf(id, { actor: "Bob-t1", sender: "Ann-t1" }));

  test("sends as itself, and its message is in the mailbox it is sent to", async () => {
    const { input, subject } = appendOf("mail", { actor: "Bob-t1", sender: "Ann-t1" });
    const bus = await natsBus({ servers: server.url, credentials: { user: "node", password: "node-secret" }, onError });
    const where = bus.append({ subject, input });
    await where;
    const answer = await member.request(
      mailboxOf("Bob-t1", "Ann-t1"),
      JSON.stringify({ input: { ...input, id: "raw" } }),
    );
    expect(answer.json()).toMatchObject({ stream: "TC_LOG_0" });
    expect(idsOf(await bus.read({ ...home, actor: "Bob-t1" }, { fromSeq: 1 }))).toEqual(["mail", "raw"]);
    await bus.close();
  });

  test("is refused when it sends as the lead", async () => {
    const told = complaint();
    await expect(member.request(mailboxOf("Bob-t1", "lead"), record("forged"))).rejects.toThrow();
    expect(await told).toMatch(denied);
  });

  test.each<[string, (connection: Connection) => Promise<unknown>]>([
    [
      "read what is stored for others",
      async (connection) => {
        const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 500 });
        return manager.streams.getMessage("TC_LOG_0", { seq: 1 });
      },
    ],
    [
      "make a consumer over everybody's mailboxes",
      async (connection) => {
        const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 500 });
        return manager.consumers.add("TC_LOG_0", { name: "wide", filter_subject: "tc.>" });
      },
    ],
    [
      "purge the log",
      async (connection) => {
        const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 500 });
        return manager.streams.purge("TC_LOG_0");
      },
    ],
    [
      "make a stream of its own",
      async (connection) => {
        const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 500 });
        return manager.streams.add({ name: "OTHER", subjects: ["x.>"] });
      },
    ],
    [
      "use a bucket",
      async (connection) =>
        jetstream(connection).publish("$KV.TC_state.claim.kx", "mine", { timeout: 500, retries: 0 }),
    ],
  ])("may not %s", async (_what, ask) => {
    const told = complaint();
    await expect(ask(member)).rejects.toThrow();
    expect(await told).toMatch(denied);
  });

  test.each(["_INBOX.>", "tc.>", "tc.tests.*.home.*.*"])("may not listen to %s", async (subject) => {
    const heard = Promise.withResolvers<unknown>();
    member.subscribe(subject, { callback: (error) => heard.resolve(error) });
    expect(String(await heard.promise)).toMatch(denied);
  });
});

/** A mailbox of the home session, as a subject. */
const mailboxOf = (actor: string, sender: string): string => formatSubject({ ...home, actor, sender });
