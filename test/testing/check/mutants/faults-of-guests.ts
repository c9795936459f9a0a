import { kernel, one, type PlantedFault } from "./planted-fault.ts";

const guests = { members: one, invitable: ["Guest"] };
const hooks = { members: one, hooks: true };

/** Faults of invitations and of what hooks say. */
export const faultsOfGuests: readonly PlantedFault[] = [
  {
    name: "asks an invited agent to shut down",
    patches: [kernel("standing.ts", 'invited === null ? "shutdown.request" : "member.shutdown"', '"shutdown.request"')],
    model: guests,
    budgets: { invite: 1, replan: 1 },
    guarantee: "G3",
    problem: "Guest is in_progress/draining after team.replan, should be shutdown",
    moves: ["the host invites Guest", "a replan shuts Guest down"],
  },
  {
    name: "lets a member invite",
    patches: [kernel("commands.ts", '"team.invite": "team_invite",', "")],
    model: guests,
    budgets: { invite: 1 },
    guarantee: "G9",
    problem: "A was allowed team.invite",
    moves: ["A calls a tool", "A tries to invite Guest"],
  },
  {
    name: "puts an invited agent behind somebody who was replaced",
    patches: [kernel("invite.ts", "upstreams.add(successorOf(draft, token))", "upstreams.add(token)")],
    model: guests,
    budgets: { invite: 1, replan: 1 },
    guarantee: "G6",
    problem: "Guest waits for A, who was replaced",
    moves: ["a replan replaces A", "the host invites Guest behind A"],
  },
  {
    name: "puts a new member behind somebody who was replaced before",
    patches: [kernel("successor.ts", "draft.member(at)?.replacedBy ?? null", "null")],
    model: { members: one, replans: [{ add: [{ name: "X", prompt: "p", dependsOn: ["A"] }] }] },
    budgets: { replan: 2 },
    guarantee: "G6",
    problem: "X waits for A, who was replaced",
    moves: ["a replan replaces A", "a replan adds X behind A"],
  },
  {
    name: "takes a delivery that a hook did not let pass",
    patches: [kernel("hooks.ts", 'return { type: "turn.ended", run, k, finish: "hook" };', "return event;")],
    model: hooks,
    budgets: { hook: 1 },
    guarantee: "G3",
    problem: "A is completed after run.completed, should be in_progress",
    moves: ["A delivers, and a hook says no"],
  },
  {
    name: "adds a task that a hook did not let pass",
    patches: [kernel("hooks.ts", "return hook === undefined ?", 'return hook === undefined || type === "task.add" ?')],
    model: { ...hooks, board: {} },
    budgets: { hook: 1 },
    guarantee: "G4",
    problem: "task.add was done, though a hook said no",
    moves: ["user adds a task, and a hook says no"],
  },
  {
    name: "lets hooks keep a member from idling for ever",
    patches: [kernel("hooks.ts", "mayStay && idleBlocks < idleBlocksMax && turns", "mayStay && turns")],
    model: { ...hooks, lifetimes: "persistent" },
    budgets: { hook: 4 },
    guarantee: "G3",
    problem: "A was kept by a hook",
    moves: [
      "A ends its turn, and a hook keeps it from idling",
      "A reads",
      "A ends its turn, and a hook keeps it from idling",
      "A reads",
      "A ends its turn, and a hook keeps it from idling",
      "A reads",
      "A ends its turn, and a hook keeps it from idling",
    ],
  },
  {
    name: "leaves somebody there whom a hook stopped",
    patches: [kernel("hooks.ts", 'return { type: "member.shutdown" };', "return null;")],
    model: { ...hooks, lifetimes: "persistent" },
    budgets: { hook: 1 },
    guarantee: "G3",
    problem: "A is completed/idle after run.failed, should be shutdown",
    moves: ["A calls a tool", "A completes", "A is stopped by a hook"],
  },
];
