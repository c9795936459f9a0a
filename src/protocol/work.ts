import { z } from "zod";
import { Effort } from "./agent-fields.ts";
import { PermissionPolicy } from "./permissions/permission-policy.ts";
import type { Subject } from "./subject.ts";

/**
 * How runs are given to workers: the owner of a session offers a run, a worker claims it and says every second that it is
 * alive. Offers and words are signals, so each is repeated and any may be lost; who has a run is for its claim to say, and
 * what a run may report for the kernel.
 */

type SessionKey = Pick<Subject, "namespace" | "session">;

const count = z.int().min(0);
const name = z.string().min(1).max(400);

/** Which run is meant: of this actor, by the owner of this epoch, its n-th. */
const runFields = { actor: name, epoch: count, n: count } as const;

/** What a member takes over from its session's lead and system, as far as it is data. */
export const Inherited = z.strictObject({
  /** Of a hosted lead; null = there is none. Models by their names only. */
  lead: z
    .strictObject({
      model: z.string().optional(),
      fallbackModel: z.string().optional(),
      effort: Effort.optional(),
      contextTokens: z.int().min(1).optional(),
      permissions: PermissionPolicy.optional(),
    })
    .nullable(),
  /** What the owner's system lets everybody do. */
  permissions: PermissionPolicy.optional(),
});
export type Inherited = z.infer<typeof Inherited>;

/** A run that waits for a worker. */
export const WorkOffer = z.strictObject({
  session: z.string().min(1).max(200),
  ...runFields,
  agentType: name,
  inherited: Inherited,
});
export type WorkOffer = z.infer<typeof WorkOffer>;

/** What a worker says of the runs of one session. */
export const WorkerNote = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("runs.alive"),
    worker: name,
    /** The owner's epoch that the worker knows: what it says of older runs is final then. */
    seen: count,
    /** Each with the last number that was accepted of its reports. */
    runs: z.array(z.strictObject({ ...runFields, k: count })).max(10_000),
  }),
  /** A run that the worker has let go of; `lost`: it ended without an outcome, else another worker may go on with it. */
  z.strictObject({ type: z.literal("run.left"), ...runFields, lost: z.boolean() }),
]);
export type WorkerNote = z.infer<typeof WorkerNote>;

/** Name of a worker, as status shows it. */
export const WorkerName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);

/** The topic of a namespace's offers. */
export const offersTopic = (namespace: string): string => `${namespace}.work`;

/** The topic of what workers say of a session's runs. */
export const notesTopic = ({ namespace, session }: SessionKey): string => `${namespace}.work.${session}`;

/** The key under which the run of an actor is claimed by the worker that has it. */
export const runClaimKey = ({ namespace, session }: SessionKey, actor: string): string =>
  `${namespace}.run.${session}.${actor}`;

/** Who claims which run. `node` is random per process, so that no two claims are one. */
export interface RunHolder {
  readonly worker: string;
  readonly node: string;
  readonly epoch: number;
  readonly n: number;
}

const holderText = /^([A-Za-z0-9._-]+) ([A-Za-z0-9-]+) (\d{1,15})\.(\d{1,15})$/;

/** The owner of a run's claim as one text. */
export const formatHolder = ({ worker, node, epoch, n }: RunHolder): string => `${worker} ${node} ${epoch}.${n}`;

/** Who claims which run, from that text; null when it is none. */
export function parseHolder(text: string): RunHolder | null {
  const [, worker, node, epoch, n] = holderText.exec(text) ?? [];
  if (worker === undefined || node === undefined) return null;
  return { worker, node, epoch: Number(epoch), n: Number(n) };
}
