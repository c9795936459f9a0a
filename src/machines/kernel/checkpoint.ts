import { TeamError } from "../../errors/index.ts";
import { SessionCheckpoint } from "../../protocol/checkpoint.ts";
import type { Kernel } from "./kernel.ts";
import { graphOf } from "./schedule.ts";
import type { SessionState, TeamRecord } from "./state.ts";

/** What of a snapshot is stored: the rest of it follows from these two. */
const bare = <Value, Context>({ value, context }: { value: Value; context: Context }) => ({ value, context });

function bareTeam({ graph: _graph, ...team }: TeamRecord): unknown {
  return { ...team, snapshot: bare(team.snapshot), byKey: [...team.byKey] };
}

/**
 * The whole session as one JSON value, to be stored and gone on with. It shares its parts with the session, which never
 * changes them in place; write it down before you hand it to somebody who might.
 */
export function toCheckpoint(session: SessionState): unknown {
  const { team, lead, members, unmet, clients, snapshot, version, ...own } = session;
  return {
    format: "teamchart-checkpoint",
    version: 1,
    ...own,
    statusVersion: version,
    snapshot: bare(snapshot),
    team: team === null ? null : bareTeam(team),
    lead: { ...lead, snapshot: bare(lead.snapshot) },
    members: [...members.values()].map((member) => ({
      ...member,
      unmet: unmet[member.index] ?? 0,
      snapshot: bare(member.snapshot),
    })),
    clients: [...clients],
  };
}

/**
 * The session of a checkpoint, to be folded on from its `seq`. A value that is no checkpoint, or names a state that a
 * machine doesn't have, is `bad_input` with the place of the fault.
 */
export function fromCheckpoint(value: unknown, { steppers }: Pick<Kernel, "steppers">): SessionState {
  const parsed = SessionCheckpoint.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
    throw new TeamError("bad_input", { what: "checkpoint", problem: `${place}${issue?.message ?? "it is none"}` });
  }
  const { format: _format, version: _version, statusVersion, team, lead, members, clients, ...own } = parsed.data;
  try {
    return {
      ...own,
      version: statusVersion,
      snapshot: steppers.session.resolve(own.snapshot.value, own.snapshot.context),
      team:
        team === null
          ? null
          : {
              ...team,
              snapshot: resolve(steppers.team, team),
              graph: graphOf(members),
              byKey: new Map(team.byKey),
            },
      lead: { ...lead, snapshot: resolve(steppers.lead, lead) },
      members: new Map(
        members.map(({ unmet: _unmet, ...member }) => [
          member.token,
          { ...member, snapshot: resolve(steppers.member, member) },
        ]),
      ),
      unmet: Int32Array.from(members, ({ unmet }) => unmet),
      clients: new Map(clients),
    };
  } catch (cause) {
    // XState names the state that its machine doesn't have.
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new TeamError("bad_input", { what: "checkpoint", problem }, { cause });
  }
}

/** The interned snapshot for what was stored of it. */
const resolve = <Value, Context, Snapshot>(
  stepper: { resolve(value: Value, context: Context): Snapshot },
  { snapshot }: { snapshot: { value: Value; context: Context } },
): Snapshot => stepper.resolve(snapshot.value, snapshot.context);
