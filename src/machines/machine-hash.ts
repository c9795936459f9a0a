import type { AnyStateMachine } from "xstate";
import { describeMachine, type MachineDescription } from "./describe-machine.ts";
import { leadMachine } from "./lead-machine.ts";
import { memberMachine } from "./member-machine.ts";
import { sessionMachine } from "./session-machine.ts";
import { teamMachine } from "./team-machine.ts";

/** The machines of a session. */
export type MachineName = "session" | "team" | "member" | "lead";

/** The machine of each actor, as a kernel runs them unless it is given others. */
export const sessionMachines: Readonly<Record<MachineName, AnyStateMachine>> = {
  session: sessionMachine,
  team: teamMachine,
  member: memberMachine,
  lead: leadMachine,
};

/** Describes the four machines of a session. */
export const describeAll = (): Record<MachineName, MachineDescription> => ({
  session: describeMachine(sessionMachine),
  team: describeMachine(teamMachine),
  member: describeMachine(memberMachine),
  lead: describeMachine(leadMachine),
});

/**
 * The text of a machine to be hashed: the same for the same structure, wherever it was built. Prose is left out, so a
 * reworded description is the same machine. The code of guards and assigns cannot be in it: a change of a function that
 * keeps its name is found by replaying, not by this text.
 */
export const machineText = (description: MachineDescription): string =>
  JSON.stringify(description, (key: string, value: unknown) => {
    if (key === "description") return undefined;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
