import type { LeadEvent } from "../lead-machine.ts";
import type { MemberEvent } from "../member-events.ts";
import type { SessionEvent } from "../session-machine.ts";
import type { TeamEvent } from "../team-machine.ts";
import type { Stepper } from "../transition-once.ts";
import type { FactReader } from "./facts.ts";
import type { LeadSnapshot, MemberSnapshot, SessionSnapshot, TeamSnapshot } from "./state.ts";

/** The four doors to XState. */
export interface Steppers {
  readonly member: Stepper<MemberSnapshot, MemberEvent>;
  readonly team: Stepper<TeamSnapshot, TeamEvent>;
  readonly lead: Stepper<LeadSnapshot, LeadEvent>;
  readonly session: Stepper<SessionSnapshot, SessionEvent>;
  readonly facts: FactReader;
}
