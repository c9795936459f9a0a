import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyStore, canonicalJson, digestOf } from "../../../src/actors/owner/body-store.ts";
import { machineHashes } from "../../../src/actors/owner/machine-hashes.ts";
import { Questions } from "../../../src/actors/session/questions.ts";
import { readForeign } from "../../../src/actors/owner/read-foreign.ts";
import { referencedBodies } from "../../../src/actors/owner/referenced-bodies.ts";
import { SessionProjections } from "../../../src/actors/session/session-projections.ts";
import { findSession, storedSession, type FoundSession } from "../../../src/actors/owner/stored-sessions.ts";
import type { Append, Stored } from "../../../src/bus/bus.ts";
import { memoryBus } from "../../../src/bus/memory.ts";
import { createKernel, projectStatus } from "../../../src/machines/index.ts";
import type { InputEvent } from "../../../src/protocol/input.ts";
import { isPlanned, parsePlan } from "../../../src/protocol/plan.ts";
import { choices, playSession, type Played } from "../../support/random-session.ts";

const place = { namespace: "default", session: "s" } as const;
const kernel = createKernel();

/** What a run, a lead or a user would have appended: bodies of the form that they have there, by their true digests. */
function appendOf({ record: { input, plan }, body: given }: Played, at: number): Append {
  const { event } = input;
  const texts: Partial<Record<InputEvent["type"], unknown>> = {
    "run.injected":
      at % 3 === 0 ? { origins: [["user", "Lead", input.actor]] } : { text: `read ${at}`, origins: [["user"]] },
    "run.answered": { content: [{ type: "text", text: `said ${at}` }], position: at },
    "tool.ended": { call: "c", tool: "t", output: { type: "text", value: `got ${at}` } },
    "question.ask": { question: `why ${at}?`, choices: ["a"] },
    "question.answer": `because ${at}`,
    "plan.answer": `as in ${at}`,
    "message.send": `letter ${at}`,
  };
  const body = texts[event.type] ?? given;
  const planned = plan === undefined ? event : ({ ...event, plan: digestOf(canonicalJson(plan)) } as InputEvent);
  const { body: _fake, ...bare } = input;
  const ref = body === undefined ? {} : { body: { digest: digestOf(canonicalJson(body)), bytes: 10 } };
  const stored = body ?? plan;
  return {
    subject: { ...place, actor: input.actor, sender: input.from },
    input: { ...bare, event: planned, ...ref },
    ...(stored === undefined ? {} : { body: stored }),
  };
}

/** A host that folds a log, as far as it needs no process. */
class Host {
  readonly state;
  readonly bodies;
  readonly questions;
  readonly projections;

  constructor(found: FoundSession | null) {
    this.state = found?.state ?? kernel.create();
    this.bodies = found?.bodies ?? new BodyStore();
    this.questions = found?.questions ?? new Questions();
    const { state, bodies, questions } = this;
    this.projections = new SessionProjections({ state, bodies, questions, found });
  }

  fold(log: readonly Stored[]): this {
    for (const record of log) {
      const { stored } = readForeign(record, (digest) => this.bodies.get(digest));
      if (stored === null) throw new Error("no input");
      const { seq, input, body } = stored;
      if (input.body !== undefined && body !== undefined) this.bodies.keep(input.body.digest, body, seq);
      const plan = isPlanned(input.event) ? parsePlan(input.event, record.body) : undefined;
      const applied = kernel.apply(this.state, plan === undefined ? { seq, input } : { seq, input, plan });
      this.projections.record({ stored, applied });
      this.bodies.sweep(() => this.#referenced());
    }
    return this;
  }

  stored() {
    const { state, bodies, questions, projections } = this;
    const { journals, mail, taken } = projections;
    const referenced = this.#referenced();
    const parts = { state, bodies, questions, journals, mail, taken, referenced };
    return storedSession({ ...place, ...parts, machines: machineHashes() });
  }

  /** All that it knows, and what it shows to people. */
  shown(): unknown {
    const { state, questions } = this;
    const { mail } = this.projections;
    const { member } = kernel.steppers.facts;
    const status = projectStatus(state, kernel.steppers.facts, () => undefined, {
      now: 0,
      changed: true,
      caller: "lead",
    });
    const asked = questions.open(state);
    const works = [...state.members.values()].map((each) => [each.name, member(each.snapshot), each.cost, each.tokens]);
    return { stored: this.stored(), status, mail: mail.list({ limit: 200 }), asked, works, past: state.pastTeams };
  }

  #referenced(): ReadonlySet<string> {
    const { mail, taken } = this.projections;
    return referencedBodies({ state: this.state, mail, taken });
  }
}

/** Through text, as a file has it. */
const asText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("U59: a session gone on with from a checkpoint, wherever that stands, knows and shows what its whole log makes of it", async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(choices(), cuts, async (numbers, at) => {
      const bus = memoryBus();
      for (const [n, played] of playSession(numbers).log.entries()) await bus.append(appendOf(played, n));
      const log = await bus.read(place, { fromSeq: 1 });
      const key = "default.session.s";
      let [done, revision] = [0, 0];
      let host = new Host(null);
      for (const cut of at.toSorted((a, b) => a - b)) {
        const next = Math.floor(cut * log.length);
        host.fold(log.slice(done, next));
        done = next;
        if (host.state.config === null) continue;
        revision = (await bus.checkpoints.put(key, asText(host.stored()), revision)) ?? 0;
        host = new Host(await findSession({ bus, ...place }, { kernel, onFault: (fault) => expect(fault).toBeNull() }));
      }
      host.fold(log.slice(done));
      expect(asText(host.shown())).toEqual(asText(new Host(null).fold(log).shown()));
      await bus.close();
    }),
    { numRuns: 60 },
  );
});
