import { connect } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { canonicalJson, digestOf } from "../../../src/actors/owner/body-store.ts";
import { natsBus } from "../../../src/bus/nats.ts";
import { createTeamSystem, defineAgent } from "../../../src/index.ts";
import type { Input } from "../../../src/protocol/input.ts";
import { formatSubject, memberToken } from "../../../src/protocol/subject.ts";
import { permissionsConfig } from "../../support/nats-permissions.ts";
import { NatsServer } from "../../support/nats-server.ts";

const place = { namespace: "default", session: "s" };
const [ann, bob] = [memberToken("Ann", 1), memberToken("Bob", 1)];
const credentials = { user: "node", password: "node-secret" };

/** A session in which Ann waits, and Bob delivers the first mail that he reads; and a connection that may write as Ann alone. */
async function openTeam(server: NatsServer) {
  const faults: unknown[] = [];
  const bus = await natsBus({ servers: server.url, credentials });
  const reader = defineAgent({ run: async ({ mail }) => ({ summary: (await mail.next()).content }) });
  const onFault = (fault: unknown): void => void faults.push(fault);
  const system = await createTeamSystem({ bus, onFault, environment: {}, agents: { reader } });
  const session = await system.openSession({ id: "s" });
  const members = ["Ann", "Bob"].map((name) => ({ name, agentType: "reader", prompt: "Wait." }));
  const team = await session.createTeam({ name: "T", members });
  const connection = await connect({ servers: server.url, user: "ann", pass: "ann-secret", inboxPrefix: "_INBOX_ann" });
  const publish = (actor: string, input: Omit<Input, "at" | "epoch">, body: unknown) =>
    connection.request(
      formatSubject({ ...place, actor, sender: ann }),
      JSON.stringify({ input: { at: Date.now(), epoch: session.state.epoch, ...input }, body }),
    );
  const close = async (): Promise<void> => {
    await connection.close();
    await system.close();
    await bus.close();
  };
  return { session, team, bus, faults, publish, close };
}

const textFor = (text: string) => ({
  digest: digestOf(canonicalJson(text)),
  bytes: Buffer.byteLength(JSON.stringify(text)),
});

test("what a permitted sender publishes to a running member's subject is read by the member, once, also when it comes twice", async () => {
  await using server = await NatsServer.start({ config: permissionsConfig() });
  const { session, bus, publish, close } = await openTeam(server);
  const event = { type: "message.send", to: "Bob", kind: "text", bytes: 9 } as const;
  const input = { actor: bob, from: ann, event, command: { call: "raw", run: 1 }, body: textFor("by itself") };
  await publish(bob, { id: "raw-1", ...input }, "by itself");
  await publish(bob, { id: "raw-2", ...input }, "by itself");
  await expect
    .poll(() => session.member("Bob"), { timeout: 20_000 })
    .toMatchObject({
      status: "completed",
      summary: "by itself",
    });
  const records = await bus.read({ ...place, actor: bob }, { fromSeq: 1 });
  expect(
    records.filter(
      ({
        input: {
          event: { type },
        },
      }) => type === "message.send",
    ),
  ).toHaveLength(2);
  expect(session.result().messages).toMatchObject({ accepted: 1, delivered: 1, unread: 0, refused: 0 });
  await close();
});

test("S9, G9: what a member publishes in another's name moves nothing, however it is written, and is told", async () => {
  await using server = await NatsServer.start({ config: permissionsConfig() });
  const { session, faults, publish, close } = await openTeam(server);
  const dissolve = { type: "team.dissolve", mode: "abort" } as const;
  const forged: readonly Pick<Input, "actor" | "from" | "event">[] = [
    { actor: "team-1", from: "lead", event: dissolve },
    { actor: "team-1", from: "user", event: dissolve },
    { actor: "session", from: "system", event: { type: "owner.claimed", epoch: 1_000_000, node: "forger" } },
    { actor: "session", from: "system", event: { type: "session.closed" } },
    { actor: bob, from: bob, event: { type: "run.failed", run: 1, k: 1, reason: "interrupted: forged" } },
    { actor: "team-1", from: ann, event: dissolve },
  ];
  for (const [n, input] of forged.entries()) await publish(input.actor, { id: `forged-${n}`, ...input }, undefined);
  // Behind them in the log; whatever they do has been done.
  await session.sendMessage({ to: "Bob", content: "from the lead" });
  await expect.poll(() => session.member("Bob"), { timeout: 20_000 }).toMatchObject({ summary: "from the lead" });
  expect(session.status()).toMatchObject({
    state: "running",
    members: [{ status: "in_progress" }, { status: "completed" }],
  });
  const refused = forged.slice(0, -1).map(({ from }) =>
    expect.objectContaining({
      code: "bad_input",
      data: expect.objectContaining({ problem: expect.stringContaining(`it is from "${from}"`) }),
    }),
  );
  expect(faults).toEqual(refused);
  await close();
});
