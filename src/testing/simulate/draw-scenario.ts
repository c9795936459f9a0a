import type { Limits } from "../../protocol/limits.ts";
import type { ScriptEntryInput, ScriptInput } from "../../protocol/script.ts";
import type { TeamSpecInput } from "../../protocol/spec.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** What a simulated session is about: the same for all processes of the world. */
export interface Scenario {
  /** `none`: the user is the Lead. */
  readonly lead: "hosted" | "none";
  readonly team: TeamSpecInput;
  /** What models answer, by actor. */
  readonly script: ScriptInput;
  readonly limits: Partial<Limits>;
  /** Tools that ask before each call. */
  readonly asks: readonly string[];
  /** After this time the user gives the team up; Infinity = never: what happens without a word must come to its end. */
  readonly patienceMs: number;
  /** How often the user starts again who has failed. */
  readonly retriesMax: number;
  /** How often the user says or changes something unasked. */
  readonly wordsMax: number;
}

const names = ["Ada", "Bo", "Cy", "Di", "Eve", "Flo"] as const;

/** Short enough that a world ends soon, long enough that a process may die in the middle. */
const limits = { permissionMs: 15_000, graceMs: 6_000, pollMs: 4_000, turnsMax: 6, stepsMax: 12, retriesMax: 2 };

/** Draws a team: who depends on whom, who works how, and what their models will say. */
export function drawScenario(random: SeededRandom): Scenario {
  const isPatient = random.chance(0.3);
  const lead = random.chance(0.3) ? "hosted" : "none";
  const used = names.slice(0, random.int(1, names.length));
  const isBoard = random.chance(0.25);
  const members = used.map((name, index) => ({
    name,
    prompt: `task of ${name}`,
    agentType: random.chance(0.4) ? "model" : "function",
    dependsOn: [...random.some(used.slice(0, index), 0.45)],
    lifetime: random.chance(0.3) ? ("persistent" as const) : ("oneshot" as const),
    ...(random.chance(0.15) ? { idleMs: 4_000 } : {}),
  }));
  const team: TeamSpecInput = {
    name: "Team",
    members,
    comms: random.pick(["all", "all", "dag", "lead"]),
    upstreamFailure: random.pick(["block", "block", "cancel"]),
    ...(isBoard ? { board: { selfClaim: random.chance(0.7) }, tasks: drawTasks(random) } : {}),
  };
  const models = members.filter(({ agentType }) => agentType === "model");
  return {
    lead,
    team,
    script: {
      Lead: drawLead(random, team),
      ...Object.fromEntries(
        models.map(({ name, lifetime }) => [name, drawMember(random, used, { lifetime, mayHang: !isPatient })]),
      ),
    },
    limits: { ...limits, ...(random.chance(0.2) ? { concurrentRunsMax: 2, startStaggerMs: 50 } : {}) },
    asks: random.chance(0.35) ? ["effect"] : [],
    patienceMs: isPatient ? Infinity : random.int(4_000, 45_000),
    retriesMax: random.int(0, 2),
    wordsMax: random.int(0, 4),
  };
}

const drawTasks = (random: SeededRandom): { subject: string; dependsOn: number[]; priority: number }[] =>
  Array.from({ length: random.int(1, 3) }, (_, index) => ({
    subject: `task ${index + 1}`,
    dependsOn: index > 0 && random.chance(0.4) ? [index] : [],
    priority: random.int(0, 2),
  }));

/** How long a model thinks. */
const thinking = (random: SeededRandom): { delayMs: number } => ({
  delayMs: random.int(1, random.pick([50, 900, 3_000])),
});

const call = (tool: string, input: object = {}) => ({ tool, input });

function drawMember(
  random: SeededRandom,
  members: readonly string[],
  { lifetime, mayHang }: { readonly lifetime: string; readonly mayHang: boolean },
): ScriptEntryInput[] {
  const say = () => call("team_send_message", { to: random.pick([...members, "Lead", "broadcast"]), content: "well" });
  const steps = Array.from({ length: random.int(0, 3) }, (): ScriptEntryInput => {
    const answer = random.pick([
      { calls: [call("effect")] },
      { calls: [call("effect")] },
      { calls: [call("look"), say()] },
      { calls: [call("effect"), call("look")] },
      { calls: [call("job")] },
      { calls: [say()] },
      { error: "overloaded" as const },
      { error: "network" as const },
      { text: "thinking aloud" },
    ]);
    return { ...answer, ...thinking(random) };
  });
  const complete = (): ScriptEntryInput => ({ calls: [call("complete", { summary: "done" })], ...thinking(random) });
  const fails = random.chance(0.15) ? [{ error: "context_length" as const, ...thinking(random) }] : [];
  const hangs = mayHang && random.chance(0.1) ? [{ hang: true as const }] : [];
  const rest = Array.from({ length: 8 }, () =>
    lifetime === "persistent" ? { text: "noted", ...thinking(random) } : complete(),
  );
  return [...steps, ...fails, ...hangs, complete(), ...rest];
}

function drawLead(random: SeededRandom, team: TeamSpecInput): ScriptEntryInput[] {
  // What a model may declare is less than what the API takes.
  const { name, members: declared, comms: _comms, upstreamFailure: _policy, ...board } = team;
  const members = declared.map(({ idleMs: _idleMs, ...member }) => member);
  const first = declared[0]?.name ?? "";
  const asks = Array.from({ length: random.int(0, 2) }, (): ScriptEntryInput => {
    const calls = random.pick([
      [call("team_status", { since: 0 })],
      [call("team_status")],
      [call("team_send_message", { to: first, content: "how is it?" })],
    ]);
    return { calls, ...thinking(random) };
  });
  const rest = Array.from({ length: 14 }, () => ({ text: "I see", ...thinking(random) }));
  return [{ calls: [call("team_create", { name, members, ...board })], ...thinking(random) }, ...asks, ...rest];
}
